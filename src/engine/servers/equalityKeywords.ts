import type { Ajv, ErrorObject, FuncKeywordDefinition } from 'ajv';
import type { Json } from '../record.ts';

/**
 * Puts `const`, `enum` and `uniqueItems` on an equality of JSON values. Ajv's own compares constructors and calls
 * `valueOf` and `toString`, which with a stranger's data may be data: it then throws, or takes equal maps for different.
 */
export function addEqualityKeywords(ajv: Ajv): void {
  const add = (keyword: string, shape: Shape, complaintOf: (schema: Json, value: Json) => Complaint | null): void => {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      ...shape,
      errors: true,
      compile: (schema: Json) => {
        const check = (value: Json): boolean => {
          const complaint = complaintOf(schema, value);
          check.errors = complaint === null ? [] : [{ keyword, ...complaint }];
          return complaint === null;
        };
        check.errors = [] as Partial<ErrorObject>[];
        return check;
      },
    });
  };
  add('const', {}, (allowedValue, value) =>
    isEqual(allowedValue, value) ? null : { params: { allowedValue }, message: 'must be equal to constant' },
  );
  add('enum', { schemaType: 'array' }, (allowedValues, value) => {
    if (Array.isArray(allowedValues) && allowedValues.some((allowed) => isEqual(allowed, value))) return null;
    return { params: { allowedValues }, message: 'must be equal to one of the allowed values' };
  });
  add('uniqueItems', { schemaType: 'boolean', type: 'array' }, (schema, value) => {
    const pair = schema === true && Array.isArray(value) ? equalPair(value) : null;
    if (pair === null) return null;
    const [i, j] = pair;
    return { params: { i: j, j: i }, message: `must not have duplicate items (${i} and ${j} are equal)` };
  });
}

type Shape = Pick<FuncKeywordDefinition, 'schemaType' | 'type'>;

type Complaint = Required<Pick<ErrorObject, 'params' | 'message'>>;

function isEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isEqual(item, b[index] ?? null));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key] ?? null, b[key] ?? null));
}

/** The positions of the first two equal items. */
function equalPair(items: readonly Json[]): [number, number] | null {
  const scalars = new Map<Json, number>();
  const others: number[] = [];
  for (const [index, item] of items.entries()) {
    const isScalar = item === null || typeof item !== 'object';
    const before = isScalar ? scalars.get(item) : others.find((other) => isEqual(items[other] ?? null, item));
    if (before !== undefined) return [before, index];
    if (isScalar) scalars.set(item, index);
    else others.push(index);
  }
  return null;
}
