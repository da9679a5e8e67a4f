import type { Json } from '../../src/engine/record.ts';

/** JSON, but that NaN is written as the bare word, as servers in other languages do; strict parsers refuse it. */
export function writeJson(value: Json, indent?: number): string {
  const text = JSON.stringify(value, (_, item: Json) => (Number.isNaN(item) ? MARK : item), indent);
  return text.replaceAll(`"${MARK}"`, 'NaN');
}

const MARK = '<NaN of the model server>';
