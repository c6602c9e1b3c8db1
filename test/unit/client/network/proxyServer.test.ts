import assert from 'node:assert/strict';
import { proxiesFor } from '../../../../src/client/network/proxyServer.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import { type Network, plainNetwork } from '../../../../src/core/ports/connection.ts';

const HTTPS = 'https://tracker.example.com/sub';
const HTTP = 'http://tracker.example.com:8080';
const environment = { HTTPS_PROXY: 'http://secure.proxy:3128', HTTP_PROXY: 'plain.proxy:8080', NO_PROXY: '' };

describe('the proxy for a server', () => {
  function assertProxy(target: string, network: Partial<Network>, expected: string | undefined): void {
    const [proxy, ...others] = proxiesFor(new URL(target), { ...plainNetwork, ...network });
    assert.deepEqual(others, []);
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

  const inOrder = (target: string, network: Partial<Network>) =>
    proxiesFor(new URL(target), { ...plainNetwork, ...network }).map((proxy) => proxy?.url.href ?? 'direct');

  it('are those that the system names, in its order, when nobody else names one', () => {
    const systemProxies =
      'PROXY a:1; https b:2 ; SOCKS c:3;SOCKS5 d; SOCKS4 e:5; QUIC f:6; DIRECT; socks4a://g:7;http://h:8;';
    const expected = ['http://a:1/', 'https://b:2/', 'socks5://c:3', 'socks5://d:1080', 'socks4://e:5', 'direct'];
    assert.deepEqual(inOrder(HTTPS, { systemProxies }), [...expected, 'socks4://g:7', 'http://h:8/']);
    assertProxy(HTTPS, { systemProxies: 'PROXY a:1' }, 'http://a:1/ by the operating system');
    assertProxy(HTTPS, { systemProxies, proxy: 'http://p' }, 'http://p/ by http.proxy');
    assertProxy(HTTPS, { systemProxies, environment }, 'http://secure.proxy:3128/ by HTTPS_PROXY');
  });
  it('are none of the system’s where exceptions or settings forbid it', () => {
    const systemProxies = 'PROXY a:1';
    assert.deepEqual(inOrder(HTTPS, { systemProxies, useProxy: false }), ['direct']);
    assert.deepEqual(inOrder(HTTPS, { systemProxies, noProxy: ['example.com'] }), ['direct']);
    assert.deepEqual(inOrder('http://localhost:1', { systemProxies }), ['direct']);
    for (const unknown of ['', ' ; ', 'QUIC f:6', 'PROXY'])
      assert.deepEqual(inOrder(HTTPS, { systemProxies: unknown }), ['direct']);
  });

  it('may speak SOCKS, in all words that VS Code’s setting knows', () => {
    for (const scheme of ['socks', 'socks5', 'socks5h', 'SOCKS5'])
      assertProxy(HTTPS, { proxy: `${scheme}://p` }, 'socks5://p:1080 by http.proxy');
    for (const scheme of ['socks4', 'socks4a'])
      assertProxy(HTTPS, { proxy: `${scheme}://p:9` }, 'socks4://p:9 by http.proxy');
    const [proxy] = proxiesFor(new URL(HTTPS), {
      ...plainNetwork,
      proxy: 'socks5://ada:b%40c@p',
      proxyAuthorization: 'x',
    });
    assert.deepEqual([proxy?.login, proxy?.authorization], [{ username: 'ada', password: 'b@c' }, undefined]);
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
    ['https://[2001:db8::5]', '2001:0DB8:0:0::0005', true],
    ['https://[2001:db8::5]:8443', '[2001:db8:0::5]:8443', true],
    ['https://[2001:db8::5]', '[2001:db8::]/32', true],
    ['https://[2001:db8::5]', '2001:db8::6', false],
    ['https://münchen.example', 'münchen.example', true],
    ['https://a.münchen.example', '*.xn--mnchen-3ya.example', true],
    ['https://tracker.example.com.', 'example.com', true],
    [HTTPS, 'example.com.', true],
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
    const [proxy] = proxiesFor(new URL(HTTPS), { ...plainNetwork, ...network });
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
  it('gets them as they are meant, whatever is in them and not encoded', () => {
    for (const password of ['pa/ss', '3128/x', '1#2', '1?2', '1\\2', 'a@b', '50%/[x]', 'a b:c']) {
      assertAuthorization({ proxy: `http://ada:${password}@p:3128` }, basic(`ada:${password}`));
      const [proxy] = proxiesFor(new URL(HTTPS), { ...plainNetwork, proxy: `socks5://ada:${password}@p` });
      assert.deepEqual([proxy?.url.href, proxy?.login], ['socks5://p:1080', { username: 'ada', password }]);
    }
  });
  it('gets the header that is set rather than those', () =>
    assertAuthorization({ proxy: 'http://ada:x@p', proxyAuthorization: 'Bearer y' }, 'Bearer y'));

  for (const proxy of ['socks9://ada:hidden@p:1080', 'file:///hidden', 'http://', 'http://hidden:x y@', 'hidden::']) {
    it(`${proxy} is refused without repeating it`, () => {
      assert.throws(
        () => proxiesFor(new URL(HTTPS), { ...plainNetwork, proxy }),
        (error: unknown) =>
          error instanceof TrackerError &&
          error.kind === 'input' &&
          /^http\.proxy /.test(error.message) &&
          !error.message.includes('hidden'),
      );
    });
  }
});
