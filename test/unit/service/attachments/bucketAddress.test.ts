import assert from 'node:assert/strict';
import { readBucketAddress } from '../../../../src/service/attachments/bucketAddress.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'ada', AWS_SECRET_ACCESS_KEY: 'hush' };

describe('the address of a bucket', () => {
  const cases: readonly (readonly [given: string, name: string, endpoint: string, prefix: string, region: string])[] = [
    ['s3://files', 's3://files/', 'https://s3.us-east-1.amazonaws.com/files', '', 'us-east-1'],
    ['s3://files/team', 's3://files/team/', 'https://s3.us-east-1.amazonaws.com/files', 'team/', 'us-east-1'],
    ['s3://files/../x/%2e%2e/y', 's3://files/y/', 'https://s3.us-east-1.amazonaws.com/files', 'y/', 'us-east-1'],
    ['s3://files/a/b.c/', 's3://files/a/b.c/', 'https://s3.us-east-1.amazonaws.com/files', 'a/b.c/', 'us-east-1'],
    [
      's3://files?region=eu-west-3',
      's3://files/?region=eu-west-3',
      'https://s3.eu-west-3.amazonaws.com/files',
      '',
      'eu-west-3',
    ],
    [
      's3://files?endpoint=https://s3.example.org/store/',
      's3://files/?endpoint=https://s3.example.org/store/',
      'https://s3.example.org/store/files',
      '',
      'us-east-1',
    ],
  ];
  for (const [given, name, endpoint, prefix, region] of cases) {
    it(`${given} is ${endpoint} with the prefix "${prefix}"`, () => {
      const address = readBucketAddress(given, KEYS);
      assert.deepEqual(address, { name, prefix, endpoint, region, accessKeyId: 'ada', secretAccessKey: 'hush' });
    });
  }

  it('takes the region from the environment where it says none', () => {
    assert.equal(readBucketAddress('s3://files', { ...KEYS, AWS_REGION: 'eu-north-1' }).region, 'eu-north-1');
  });

  it('is refused in a sentence that shows no secret where it is none', () => {
    const wrong = [
      ...['', 'files', '/srv/files', 'https://files', 's3://', 's3://F', 's3://files/a//b'],
      ...['s3://files?end=x', 's3://files?region=a.b', 's3://files?endpoint=s3.example.org'],
      ...['s3://files?endpoint=ftp://s3.example.org', 's3://files?endpoint=https://a:hush@s3.example.org'],
      ...['s3://ada:hush@files', `s3://${'f'.repeat(64)}`],
    ];
    for (const given of wrong) {
      assert.throws(
        () => readBucketAddress(given, KEYS),
        (error) => error instanceof Error && /^UsageError: (?!.*hush).*\.$/.test(String(error)),
        given,
      );
    }
    assert.throws(() => readBucketAddress('s3://files', {}), /Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
  });
});
