import type { ErrorObject } from 'ajv';

const SHOWN = 3;
/** Characters of one complaint; a longer one says less rather than half of it. */
const LONGEST = 200;

/**
 * What a schema complains about, at most three times: the JSON pointer of the place, then the complaint, without a full
 * stop. Each at most 200 characters long.
 */
export function complaints(errors: readonly ErrorObject[]): string[] {
  const told = new Set<string>();
  for (const error of errors) {
    told.add(complaint(error));
    if (told.size === SHOWN) break;
  }
  return [...told];
}

function complaint(error: ErrorObject): string {
  const { instancePath, keyword } = error;
  const told = [instancePath, words(error)].filter((part) => part !== '').join(' ');
  if (told.length <= LONGEST) return told;
  const bare = `does not satisfy "${keyword.length > 50 ? 'the schema' : keyword}"`;
  return instancePath.length > LONGEST - 70 ? `a value deep inside ${bare}` : `${instancePath} ${bare}`.trimStart();
}

function words({ keyword, message = `does not satisfy "${keyword}"`, params, propertyName }: ErrorObject): string {
  const name = (key: string): string | null => (typeof params[key] === 'string' ? params[key] : null);
  switch (keyword) {
    case 'required':
      return `missing required ${name('missingProperty') ?? 'property'}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `must not have the property ${name('additionalProperty') ?? name('unevaluatedProperty') ?? ''}`.trimEnd();
    case 'enum':
      return `must be one of ${quoted(params.allowedValues, 'the allowed values')}`;
    case 'const':
      return `must be ${quoted([params.allowedValue], 'the value of the schema')}`;
    case 'false schema':
      return 'must not be there';
    default:
      return propertyName === undefined ? message : `${message} (the name ${propertyName})`;
  }
}

/** The values of the schema, where they are short. */
function quoted(values: unknown, otherwise: string): string {
  if (!Array.isArray(values) || values.length > 50) return otherwise;
  const text = values.map((each) => JSON.stringify(each)).join(', ');
  return text.length > 100 ? otherwise : text;
}
