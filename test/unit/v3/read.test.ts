import assert from 'node:assert/strict';
import type { Element } from '../../../src/v3/element.ts';
import { LIMITS } from '../../../src/v3/elementParser.ts';
import { type Chunks, readDocument, readItems, readText } from '../../../src/v3/read.ts';
import { XmlError } from '../../../src/v3/xmlError.ts';
import { fixture, fixtureNames } from './fixture.ts';

describe('reading XML', () => {
  function assertText(xml: string, expected: string): void {
    assert.equal(readText(`<a>${xml}</a>`).text, expected);
  }

  function assertRefused(xml: Uint8Array | string, message: RegExp): void {
    assert.throws(
      () => readText(xml),
      (error: unknown) => {
        assert.ok(error instanceof XmlError, String(error));
        assert.match(error.message, message);
        return true;
      },
    );
  }

  async function itemsOf(chunks: Chunks, paths: readonly string[]): Promise<{ items: Element[]; root: Element }> {
    const items: Element[] = [];
    const root = await readItems(chunks, paths, (item) => items.push(item));
    return { items, root };
  }

  it('keeps text as text', () => {
    for (const text of [
      '007',
      '1e5',
      'true',
      ' leading',
      'trailing \n',
      '\t',
      'a\u00a0b',
      '\u{1F596}',
      'x'.repeat(50),
    ]) {
      assertText(text, text);
    }
  });
  it('resolves entities: of XML, numeric, and by name as HTML has them', () => {
    assertText('&lt;&amp;&gt;&quot;&apos;', '<&>"\'');
    assertText('&#233;&#xE9;&#12486;&#x1F596;', 'éé\u30c6\u{1F596}');
    assertText('caf&eacute;&nbsp;&yuml;&AElig;&euro;&hellip;&mdash;', 'café\u00a0ÿÆ€…—');
    assertText('&amp;lt;', '&lt;');
  });
  it('refuses entities that mean nothing', () => {
    for (const entity of [
      '&nothing;',
      '&constructor;',
      '&__proto__;',
      '&toString;',
      '&#0;',
      '&#xD800;',
      '&#x110000;',
      '&#;',
      '&;',
      '& ',
      '&amp',
    ]) {
      assertRefused(`<a>${entity}</a>`, /not well-formed/);
    }
  });
  it('joins text around comments and CDATA', () =>
    assertText('a<!-- x -->b<![CDATA[<c>&amp;]]>d<?p i?>e', 'ab<c>&amp;de'));
  it('reads line ends as line feeds', () => assertText('a\r\nb\rc\n', 'a\nb\nc\n'));
  it('leaves out the white space between elements', () => {
    const element = readText('<a>\n  <b> </b>\n</a>');
    assert.equal(element.text, '');
    assert.equal(element.children[0]?.text, ' ');
  });
  it('knows an empty element from a missing one', () => {
    assert.deepEqual(
      readText('<a><b/><c></c></a>').children.map(({ name, text }) => [name, text]),
      [
        ['b', ''],
        ['c', ''],
      ],
    );
  });
  it('says where the mistake is', () => {
    assert.throws(() => readText('<a>\n  <b></c>\n</a>'), {
      name: 'XmlError',
      line: 2,
      message: /\(line 2, column \d+\)$/,
    });
  });

  it('gives the same for every cut into two chunks, and for single bytes', async () => {
    for (const name of ['lenient', 'errors']) {
      const bytes = Buffer.from(fixture(name));
      const whole = readText(bytes);
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        assert.deepEqual(await readDocument([bytes.subarray(0, cut), bytes.subarray(cut)]), whole, `${name} at ${cut}`);
      }
    }
    for (const name of fixtureNames) {
      const text = fixture(name);
      assert.deepEqual(
        await readDocument([...Buffer.from(text)].map((byte) => Uint8Array.of(byte))),
        readText(text),
        name,
      );
      assert.deepEqual(await readDocument(text.split('')), readText(text), name);
    }
  });
  it('keeps a character whole that is split between two texts', async () => {
    assert.equal((await readDocument(['<a>\ud83d', '\udd96</a>'])).text, '\u{1F596}');
    assert.equal((await readDocument(['<a>\ud83d', 'x</a>'])).text, '\ufffdx');
  });
  it('refuses three documents at every position where they can be cut off', () => {
    for (const name of ['story', 'activities', 'lenient']) {
      const text = fixture(name);
      const end = text.lastIndexOf('>');
      for (let cut = 0; cut <= end; cut += 1) {
        assert.throws(() => readText(text.slice(0, cut)), XmlError, `${name} cut at ${cut}`);
      }
      assert.equal(readText(text.slice(0, end + 1)).children.length > 0, true);
    }
  });
  it('refuses what is not one well-formed document', () => {
    for (const xml of [
      '',
      ' ',
      'text',
      '<a></b>',
      '<a><b></a></b>',
      '<a/><b/>',
      '<a/>x',
      'x<a/>',
      '<a b=c/>',
      '<a b/>',
      '<a b="1" b="2"/>',
      '<a b="<"/>',
      '<1/>',
      '</a>',
      '<a>]]></a>',
      '<a>\u0000</a>',
      '<a>\u001b</a>',
      '<a>\uffff</a>',
      '<>',
      '<a',
      '{"a":1}',
    ]) {
      assertRefused(xml, /./);
    }
  });

  it('reads UTF-8 with a byte order mark, and Latin-1 that says so', () => {
    assert.equal(readText(Buffer.from('\ufeff<a>é</a>')).text, 'é');
    assert.equal(readText(Buffer.from('<?xml version="1.0" encoding="utf-8"?><a>é</a>')).text, 'é');
    assert.equal(readText(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1')).text, 'é');
    assert.equal(readText(Buffer.from("<?xml version='1.0' encoding='us-ascii'?><a>x</a>")).text, 'x');
  });
  it('refuses other encodings, and bytes that are none', () => {
    for (const encoding of ['utf-16', 'shift_jis', 'constructor', '__proto__']) {
      assertRefused(Buffer.from(`<?xml version="1.0" encoding="${encoding}"?><a/>`), /only UTF-8 and Latin-1/);
    }
    assertRefused(Buffer.from('<a>é</a>', 'latin1'), /not valid in its encoding/);
    assertRefused(Buffer.from('<a>é', 'utf8').subarray(0, 4), /not valid in its encoding/);
    assertRefused(Buffer.from('<a/>', 'utf16le'), /./);
    assertRefused(Uint8Array.of(0xfe, 0xff, 0, 0x3c), /./);
  });

  it('refuses a DOCTYPE and what could be in it', () => {
    const bomb = `<!DOCTYPE a [<!ENTITY x0 "ha">${Array.from({ length: 30 }, (_, n) => `<!ENTITY x${n + 1} "&x${n};&x${n};">`).join('')}]><a>&x30;</a>`;
    for (const xml of [
      '<!DOCTYPE a><a/>',
      '<!DOCTYPE html>',
      bomb,
      '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
      '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY x SYSTEM "http://x/">]><a>&x;</a>',
    ]) {
      assertRefused(xml, /DOCTYPE/);
    }
  });
  it('refuses what is too deep, too long or too much', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
    assert.equal(readText(nested(LIMITS.depth)).name, 'a');
    assertRefused(nested(LIMITS.depth + 1), /nested too deeply/);
    assertRefused('<a>'.repeat(100_000), /nested too deeply/);
    assertRefused(`<${'n'.repeat(LIMITS.name + 1)}/>`, /name of an element/);
    assertRefused(`<a ${'n'.repeat(LIMITS.name + 1)}="1"/>`, /name of an attribute/);
    assertRefused(`<a b="${'x'.repeat(LIMITS.attribute + 1)}"/>`, /attribute .* too long/);
    const attributes = (count: number) => `<a ${Array.from({ length: count }, (_, n) => `b${n}="1"`).join(' ')}/>`;
    assert.equal(Object.keys(readText(attributes(LIMITS.attributes)).attributes).length, LIMITS.attributes);
    assertRefused(attributes(LIMITS.attributes + 1), /too many attributes/);
    assert.equal(readText(`<a>${'x'.repeat(LIMITS.text)}</a>`).text.length, LIMITS.text);
    assert.throws(() => readText('<a>1234</a>', { limit: 10 }), { name: 'XmlError', message: /larger than 10/ });
  });
  it('refuses anything endless between two tags', () => {
    const long = 2 * LIMITS.text;
    for (const xml of [
      `<a>${'x'.repeat(long)}`,
      `<a>${'\r'.repeat(long)}`,
      `<a>&${'x'.repeat(long)}`,
      `<a><!--${'-x'.repeat(long / 2)}`,
      `<a><![CDATA[${']x'.repeat(long / 2)}`,
      `<a><?p ${'?x'.repeat(long / 2)}`,
      `<a ${' '.repeat(long)}`,
      `<a b="${'x'.repeat(long)}`,
      `<${'n'.repeat(long)}`,
      `<!DOCTYPE ${'x'.repeat(long)}`,
      `<a>${'&#65;'.repeat(long)}</a>`,
      ' '.repeat(long),
      `<a>${'x<!---->'.repeat(long)}</a>`,
    ]) {
      assertRefused(xml, /too long|larger than/);
    }
  });
  it('takes no attribute for more than a name', () => {
    const element = readText('<a __proto__="1" constructor="2" toString="3"><__proto__/><constructor/></a>');
    assert.deepEqual(Object.entries(element.attributes), [
      ['__proto__', '1'],
      ['constructor', '2'],
      ['toString', '3'],
    ]);
    assert.equal(element.attributes.hasOwnProperty, undefined);
    assert.equal(Object.getPrototypeOf({}), Object.prototype);
    assert.deepEqual(
      element.children.map(({ name }) => name),
      ['__proto__', 'constructor'],
    );
  });

  it('hands items over as soon as they are complete, and drops them', async () => {
    const seen: string[] = [];
    async function* arriving(): AsyncGenerator<string> {
      yield '<stories count="2"><story><id>1</id></story><sto';
      seen.push('more');
      yield 'ry><id>2</id></story><other/></stories>';
    }
    const root = await readItems(arriving(), ['story'], (item) => seen.push(item.children[0]?.text ?? ''));
    assert.deepEqual(seen, ['1', 'more', '2']);
    assert.deepEqual(
      root.children.map(({ name }) => name),
      ['other'],
    );
    assert.equal(root.attributes.count, '2');
  });
  it('hands nested items over before the one around them, by their path', async () => {
    const xml = '<is><i><story><x/></story><stories><story><i/></story><story/></stories><n>1</n></i><story/><i/></is>';
    const { items, root } = await itemsOf([xml], ['i', 'i/stories/story']);
    assert.deepEqual(
      items.map(({ name, children }) => [name, children.map((child) => child.name)]),
      [
        ['story', ['i']],
        ['story', []],
        ['i', ['story', 'stories', 'n']],
        ['i', []],
      ],
    );
    assert.deepEqual(
      root.children.map(({ name }) => name),
      ['story'],
    );
  });
  it('passes on what the receiver and the source throw', async () => {
    await assert.rejects(
      readItems(['<a><b/></a>'], ['b'], () => {
        throw new RangeError('mine');
      }),
      /mine/,
    );
    async function* failing(): AsyncGenerator<string> {
      yield '<a>';
      throw new RangeError('source');
    }
    await assert.rejects(readDocument(failing()), /source/);
  });
  it('lets others run while it reads', async () => {
    let turns = 0;
    let isReading = true;
    const count = () => {
      turns += 1;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    await readItems(
      [`<stories>${'<story><id>1</id><name>something</name></story>'.repeat(100_000)}</stories>`],
      ['story'],
      () => undefined,
    );
    isReading = false;
    assert.ok(turns > 3, String(turns));
  });
  it('holds no more for many items than for few', async () => {
    function* stories(): Generator<string> {
      yield '<stories>';
      for (let count = 0; count < 60; count += 1)
        yield `<story><id>1</id><name>${'some words '.repeat(20)}</name></story>`.repeat(1000);
      yield '</stories>';
    }
    const before = process.memoryUsage().heapUsed;
    let highest = 0;
    let count = 0;
    await readItems(stories(), ['story'], () => {
      count += 1;
      if (count % 10_000 === 0) highest = Math.max(highest, process.memoryUsage().heapUsed - before);
    });
    assert.equal(count, 60_000);
    assert.ok(highest < 100 * 1024 * 1024, `${Math.round(highest / 1024 / 1024)} MiB`);
  });
}).timeout(20_000);
