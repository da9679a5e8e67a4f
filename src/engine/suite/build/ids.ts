import { caseName, SUBJECTS } from '../keys/case.ts';
import { child } from '../pointer.ts';
import type { Report } from '../report.ts';
import { slug } from '../slug.ts';
import type { CaseSource } from './case.ts';

/** Gives every case its id: its own, else the slug of its name or of what it is about. Reports empty and equal ones. */
export function assignIds(cases: readonly CaseSource[], report: Report): void {
  const owners = new Map<string, string>();
  for (const source of cases) {
    const { id, from } = idOf(source);
    if (id === undefined) continue;
    source.id = id;
    const pointer = child(source.at, from);
    if (id === '') tellEmpty(source, pointer, from, report);
    const first = owners.get(id);
    if (first === undefined) owners.set(id, pointer);
    else if (id !== '') tellEqual(id, from, pointer, first, report);
  }
}

/** The id and the key it comes from; no id where that key is missing or broken, which has been reported. */
function idOf({ members, raw }: CaseSource): { id?: string; from: string } {
  if (Object.hasOwn(raw, 'id')) return { from: 'id', ...(members.id !== undefined && { id: members.id }) };
  for (const from of ['name', ...SUBJECTS] as const) {
    const text = members[from];
    if (text !== undefined) return { id: slug(text), from };
    if (Object.hasOwn(raw, from)) break;
  }
  return { from: '' };
}

function tellEmpty({ raw }: CaseSource, pointer: string, from: string, report: Report): void {
  const message = `no id can be made of the ${from} of case ${caseName(raw)}`;
  report.add('SUITE005', pointer, message, { hint: 'Give the case an id.' });
}

function tellEqual(id: string, from: string, pointer: string, first: string, report: Report): void {
  const related = { message: 'first used here', pointer: first };
  const message = `case id "${id}" is already used at ${report.place(first)}`;
  const hint =
    from === 'id' ? 'Ids are unique in a suite.' : `It is made of the ${from}; give this case an id of its own.`;
  report.add('SUITE005', pointer, message, { related, hint });
}
