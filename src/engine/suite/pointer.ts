/** JSON pointers (RFC 6901), the way every place of a suite is named. */

/** The pointer of a member or an element. */
export function child(pointer: string, key: string | number): string {
  if (typeof key === 'number') return `${pointer}/${key}`;
  return `${pointer}/${/[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`;
}

/** The keys on the way; none for the whole. */
export function segments(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => (part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part));
}

/** The last key with the indexes behind it, as a person would name the place: `calls[0]`, `timeout`. */
export function lastName(pointer: string): string {
  let name = '';
  for (const part of segments(pointer).reverse()) {
    const index = /^\d+$/.test(part);
    name = index ? `[${part}]${name}` : `${part}${name}`;
    if (!index) break;
  }
  return name;
}
