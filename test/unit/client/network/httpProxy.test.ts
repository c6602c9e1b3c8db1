import assert from 'node:assert/strict';
import { proxyFor } from '../../../../src/client/network/httpProxy.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import { type Network, plainNetwork } from '../../../../src/core/ports/connection.ts';

const HTTPS = 'https://tracker.example.com/sub';
const HTTP = 'http://tracker.example.com:8080';
const environment = { HTTPS_PROXY: 'http://secure.proxy:3128', HTTP_PROXY: 'plain.proxy:8080', NO_PROXY: '' };

describe('the proxy for a server', () => {
  function assertProxy(target: string, network: Partial<Network>, expected: string | undefined): void {
    const proxy = proxyFor(new URL(target), { ...plainNetwork, ...network });
    assert.equal(proxy && `${proxy.url.href} by ${proxy.source}`, expected);
  }

  it('is none by itself', () => assertProxy(HTTPS, {}, undefined));
  it('is the setting, for both schemes', () => {
    assertProxy(HTTPS, { proxy: 'http://p:3128' }, 'http://p:3128/ by http.proxy');
    assertProxy(HTTP, { proxy: 'https://p' }, 'https://p/ by http.proxy');
  });
  it('is what the environment names, by scheme, when nothing is set', () => {
    assertProxy(HTTPS, { environment }, 'http://secure.proxy:3128/ by HTTPS_PROXY');
    assertProxy(HTTP, { environment }, 'http://plain.proxy:8080/ by HTTP_PROXY');
  });
  it('is the setting even when the environment names one', () =>
    assertProxy(HTTPS, { environment, proxy: 'http://p' }, 'http://p/ by http.proxy'));
  it('is none when proxies are switched off', () =>
    assertProxy(HTTPS, { environment, proxy: 'http://p', useProxy: false }, undefined));
  it('is none for this machine, unless told', () => {
    for (const target of ['http://localhost:1', 'http://127.0.0.1:1', 'https://[::1]', 'http://a.localhost']) {
      assertProxy(target, { proxy: 'http://p' }, undefined);
      assertProxy(target, { proxy: 'http://p', noProxy: ['<-loopback>'] }, 'http://p/ by http.proxy');
    }
    assertProxy('http://localhost.example.com', { proxy: 'http://p' }, 'http://p/ by http.proxy');
  });

  const EXCEPTIONS: readonly (readonly [target: string, entry: string, isException: boolean])[] = [
    [HTTPS, 'tracker.example.com', true],
    [HTTPS, 'Tracker.Example.COM', true],
    [HTTPS, 'example.com', true],
    [HTTPS, '.example.com', true],
    [HTTPS, '*.example.com', true],
    [HTTPS, '*', true],
    [HTTPS, 'tracker.example.com:443', true],
    [HTTPS, 'tracker.example.com:8443', false],
    [HTTP, 'example.com:8080', true],
    [HTTPS, 'ple.com', false],
    [HTTPS, 'example.co', false],
    [HTTPS, '*.tracker.example.com.evil', false],
    [HTTPS, '', false],
    [HTTPS, '.', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '2.3', false],
    ['https://10.1.2.3', '10.0.0.0/99', false],
    ['https://[fd00::5]:8443', '[fd00::5]:8443', true],
    ['https://[fd00::5]', 'fd00::/8', true],
    ['https://[fe00::5]', 'fd00::/8', false],
    [HTTPS, '10.0.0.0/8', false],
  ];
  for (const [target, entry, isException] of EXCEPTIONS) {
    it(`${isException ? 'is none' : 'stays'} for ${target} when "${entry}" is an exception`, () => {
      const expected = isException ? undefined : 'http://p/ by http.proxy';
      assertProxy(target, { proxy: 'http://p', noProxy: ['other', entry] }, expected);
      const NO_PROXY = `other, ${entry} ,x`;
      assertProxy(target, { proxy: 'http://p', environment: { ...environment, NO_PROXY } }, expected);
    });
  }

  function assertAuthorization(network: Partial<Network>, expected: string | undefined): void {
    const proxy = proxyFor(new URL(HTTPS), { ...plainNetwork, ...network });
    assert.equal(proxy?.authorization, expected);
    assert.ok(!proxy?.url.href.includes('@'), 'user and password are taken out of the address');
  }
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  it('gets user and password from its address', () => {
    assertAuthorization({ proxy: 'http://ada:b%40c%C3%A9@p' }, basic('ada:b@cé'));
    assertAuthorization({ proxy: 'http://ada@p' }, basic('ada:'));
    assertAuthorization({ proxy: 'http://ada:50%@p' }, basic('ada:50%'));
    assertAuthorization({ environment: { ...environment, HTTPS_PROXY: 'ada:x@p:3128' } }, basic('ada:x'));
    assertAuthorization({ proxy: 'http://p' }, undefined);
  });
  it('gets the header that is set rather than those', () =>
    assertAuthorization({ proxy: 'http://ada:x@p', proxyAuthorization: 'Bearer y' }, 'Bearer y'));

  for (const proxy of ['socks5://ada:hidden@p:1080', 'file:///hidden', 'http://', 'http://hidden:x y@', 'hidden::']) {
    it(`${proxy} is refused without repeating it`, () => {
      assert.throws(
        () => proxyFor(new URL(HTTPS), { ...plainNetwork, proxy }),
        (error: unknown) =>
          error instanceof TrackerError &&
          error.kind === 'input' &&
          /^http\.proxy /.test(error.message) &&
          !error.message.includes('hidden'),
      );
    });
  }
});
