import { z } from 'zod';
import type { Json } from '../record.ts';
import { SuiteKeys } from './keys/suite.ts';

/** The JSON Schema (draft-07, which editors know best) of a suite file, from the same Zod schemas that read it. */
export function jsonSchema(): Json {
  return z.toJSONSchema(SuiteKeys, { io: 'input', target: 'draft-07' }) as Json;
}
