/** Writes schemas/eval-suite.schema.json, from which editors complete and check suite files. */
import { writeFileSync } from 'node:fs';
import { jsonSchema } from '../src/engine/suite/index.ts';

const file = new URL('../schemas/eval-suite.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(jsonSchema(), null, 2)}\n`);
console.log(`wrote ${file.pathname}`);
