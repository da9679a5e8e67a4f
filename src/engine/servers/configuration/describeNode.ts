import type { Node } from 'jsonc-parser';

/** What stands there, for a message that expected something else. */
export function describeNode(node: Node): string {
  switch (node.type) {
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'string':
      return 'text';
    case 'number':
      return 'a number';
    default:
      return String(node.value);
  }
}
