import { BadRequest, isObject, type OfferedTool } from '../conversation.ts';

/**
 * The tools of a request, after the checks that providers make: the form of a name, that no two share one, and that the
 * schema describes an object.
 *
 * @throws BadRequest naming the tool
 */
export function checkTools(tools: readonly OfferedTool[], form: RegExp): readonly OfferedTool[] {
  const names = new Set<string>();
  for (const { name, schema } of tools) {
    if (!form.test(name)) throw new BadRequest(`invalid name of a tool: "${name}" does not match ${form.source}`);
    if (names.has(name)) throw new BadRequest(`two tools have the name "${name}"`);
    names.add(name);
    // Providers differ on a missing schema, but none takes one that describes something else than an object.
    if (
      schema !== null &&
      !(isObject(schema) && (schema.type === undefined || /^object$/i.test(String(schema.type))))
    ) {
      throw new BadRequest(`invalid schema of the tool "${name}": "type" must be "object"`);
    }
  }
  return tools;
}
