import { UsageError } from '../ground/errors.ts';

/** Where a bucket is, and what opens it. */
export interface BucketAddress {
  /** `s3://bucket/prefix/?endpoint=…`, for an operator. */
  readonly name: string;
  /** Empty, or with a slash at the end. */
  readonly prefix: string;
  /** Address of the bucket itself. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const FORM = 's3://BUCKET, s3://BUCKET/PREFIX or s3://BUCKET?endpoint=https://s3.example.org&region=REGION';
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[\w.-]+\/)*$/;
const REGION = /^[a-z0-9-]{1,64}$/;
const DEFAULT_REGION = 'us-east-1';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `--files`. The credentials come from the environment, in the names that other programs for such stores read, and never from the
 * address, which is seen in lists of processes. Throws `UsageError`.
 */
export function readBucketAddress(given: string, environment: Environment): BucketAddress {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const [bucket = '', path = ''] = [url?.host, url?.pathname.slice(1)];
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
  if (url?.protocol !== 's3:' || !BUCKET.test(bucket) || !PREFIX.test(prefix)) {
    throw new UsageError(`--files must be an address such as ${FORM}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('Pass credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not in --files.');
  }
  for (const name of url.searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region')
      throw new UsageError(`Unknown parameter "${name}" in --files. Use ${FORM}.`);
  }
  const region = url.searchParams.get('region') ?? environment.AWS_REGION ?? DEFAULT_REGION;
  if (!REGION.test(region)) throw new UsageError(`"${region}" is not a region. Pass one in --files or AWS_REGION.`);
  const endpoint = url.searchParams.get('endpoint');
  const base = endpoint === null ? `https://s3.${region}.amazonaws.com` : checkedEndpoint(endpoint);
  const query = url.search;
  return {
    name: `s3://${bucket}/${prefix}${query}`,
    prefix,
    endpoint: `${base}/${bucket}`,
    region,
    ...credentials(environment),
  };
}

function checkedEndpoint(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !['https:', 'http:'].includes(url.protocol)) {
    throw new UsageError('The endpoint in --files must be an address such as https://s3.example.org.');
  }
  const { pathname } = url;
  return url.origin + (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname);
}

function credentials(environment: Environment): Pick<BucketAddress, 'accessKeyId' | 'secretAccessKey'> {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment;
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new UsageError('Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the credentials for --files.');
  }
  return { accessKeyId, secretAccessKey };
}
