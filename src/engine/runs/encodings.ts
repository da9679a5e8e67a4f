/** One way in which a secret may stand in a text. */
export interface Encoding {
  text: string;
  /** Base64: the characters before and after also hold bits of the secret, mixed with its neighbours' bits. */
  spill?: { before: boolean; after: boolean };
}

/**
 * The ways in which a secret can turn up in a text: as it is, URL-encoded, in base64 at each of its three offsets (so
 * `user:key` is found too), as hex, and as an escaped piece of JSON, once and twice.
 *
 * @returns no two alike; the secret itself first
 */
export function encodingsOf(secret: string): Encoding[] {
  const texts = new Set<string>([secret]);
  for (const text of urlEncodings(secret)) texts.add(text);
  const hex = Buffer.from(secret).toString('hex');
  texts.add(hex).add(hex.toUpperCase());
  for (const once of jsonEscapes(secret)) {
    texts.add(once);
    for (const twice of jsonEscapes(once)) texts.add(twice);
  }
  return [...[...texts].map((text) => ({ text })), ...base64Encodings(secret)];
}

function urlEncodings(secret: string): string[] {
  const component = encodeURIComponent(secret.toWellFormed());
  const strict = component.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const upper = [component, strict, encodeURI(secret.toWellFormed())];
  const lower = upper.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [...upper, ...lower].flatMap((text) => [text, text.replaceAll('%20', '+')]);
}

/** As JSON writers differ: plainly, with `\/`, with `\u003c` for what HTML minds, with ASCII only. */
function jsonEscapes(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const unicode = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return [
    plain,
    plain.replaceAll('/', '\\/'),
    plain.replace(/[<>&]/g, unicode),
    plain.replace(/[\u0080-\uffff]/g, unicode),
    plain.replace(/[\u0080-\uffff]/g, (c) => unicode(c).toUpperCase().replace('\\U', '\\u')),
  ];
}

/**
 * A secret that begins `offset` bytes into a group of three: the characters that depend on no neighbour, in both
 * alphabets. Character i holds the bits 6i to 6i + 5.
 */
function base64Encodings(secret: string): Encoding[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((offset) => {
    const [start, end] = [8 * offset, 8 * (offset + bytes.length)];
    const all = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const text = all.slice(Math.ceil(start / 6), Math.floor(end / 6));
    const spill = { before: start % 6 !== 0, after: end % 6 !== 0 };
    const urlSafe = text.replaceAll('+', '-').replaceAll('/', '_');
    return urlSafe === text
      ? [{ text, spill }]
      : [
          { text, spill },
          { text: urlSafe, spill },
        ];
  });
}
