import type { Node } from 'jsonc-parser';
import type { Problem } from '../../errors.ts';
import { child } from '../../suite/pointer.ts';
import { members } from '../jsonFile.ts';
import type { Place } from './draft.ts';

/** Something that an editor asks its user for; here it is given with the run. */
export interface InputDeclaration {
  id: string;
  type: 'promptString' | 'pickString' | 'command';
  description: string | null;
  default: string | null;
  isPassword: boolean;
  /** What may be picked; null where anything may be given. */
  options: readonly string[] | null;
  at: Place;
}

/** What `${input:id}` may name. */
export interface Inputs {
  declared: ReadonlyMap<string, InputDeclaration>;
  /** Where they are declared; null where the file has no such list. */
  at: Place | null;
  /** Others may be named too. */
  isOpen: boolean;
}

export const NO_INPUTS: Inputs = { declared: new Map(), at: null, isOpen: false };

/** The variable of the environment that gives an input its value. */
export function inputVariable(id: string): string {
  return `MCPROVE_INPUT_${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

const TYPES = ['promptString', 'pickString', 'command'] as const;

/** Reads the list of declarations; one that cannot be read is a problem, and is not declared. */
export function readInputs(
  list: Node,
  at: Place,
  place: (node: Node, pointer: string) => Place,
): { inputs: Inputs; problems: Problem[] } {
  const problems: Problem[] = [];
  const wrong = (where: Place, message: string, hint?: string): void => {
    problems.push({ code: 'MCP016', severity: 'error', message, ...where, ...(hint === undefined ? {} : { hint }) });
  };
  const declared = new Map<string, InputDeclaration>();
  if (list.type !== 'array') wrong(at, '"inputs" must be a list');
  for (const [index, node] of (list.type === 'array' ? (list.children ?? []) : []).entries()) {
    const where = place(node, child(at.pointer, index));
    const input = readInput(node, where);
    if (input === null) wrong(where, `inputs[${index}] must be an object with "id" and "type"`, HINT);
    else if (declared.has(input.id)) wrong(where, `input "${input.id}" is declared twice`, 'Remove one of them.');
    else declared.set(input.id, input);
  }
  return { inputs: { declared, at, isOpen: false }, problems };
}

const HINT = `The types are ${TYPES.join(', ')}.`;

function readInput(node: Node, at: Place): InputDeclaration | null {
  const values = new Map(members(node).map(({ name, value }) => [name, value]));
  const text = (key: string): string | null => {
    const value: unknown = values.get(key)?.value;
    return typeof value === 'string' ? value : null;
  };
  const id = text('id');
  const type = TYPES.find((known) => known === text('type'));
  if (id === null || type === undefined) return null;
  return {
    ...{ id, type, at },
    description: text('description'),
    default: text('default'),
    isPassword: values.get('password')?.value === true,
    options:
      type === 'pickString' ? (values.get('options')?.children ?? []).flatMap((each) => optionOf(each) ?? []) : null,
  };
}

/** An option is a text, or an object whose `value` is what is picked. */
function optionOf(node: Node): string | null {
  const value: unknown =
    node.type === 'object' ? members(node).find(({ name }) => name === 'value')?.value.value : node.value;
  return typeof value === 'string' ? value : null;
}
