import type { Tool } from '../servers/index.ts';
import { type SampleArguments, sampleArguments } from './sampleArguments.ts';

export interface PickedTool {
  tool: Tool;
  sample: SampleArguments;
}

/** Names that promise to look only, where no annotation says so. */
const LOOKS = /^(?:check|count|describe|echo|fetch|find|get|info|list|lookup|ping|query|read|search|show|view)/i;

/** Keys that no suite may have. */
const RESERVED = /"(?:__proto__|constructor|prototype)":/;

/**
 * Tools for a first case, best first: those that change nothing, then those with one argument, with none, with more
 * (one shows what a suite can say about arguments), then those of which less is guessed, then the server's own order. Left out are
 * tools that a suite cannot hold: their name would be a pattern there, or an argument has a reserved key.
 */
export function pickTools(tools: readonly Tool[]): PickedTool[] {
  return tools
    .filter(({ name }) => /^[^\s*?[\]{}()!+@|\\]+$/.test(name) && !name.includes('::'))
    .map((tool) => ({ tool, sample: sampleArguments(tool.inputSchema) }))
    .filter(({ sample }) => !RESERVED.test(JSON.stringify(sample.arguments)))
    .sort((a, b) => risk(a.tool) - risk(b.tool) || size(a) - size(b) || guesses(a) - guesses(b));
}

function risk({ name, annotations }: Tool): number {
  if (annotations.readOnlyHint === true) return 0;
  if (annotations.destructiveHint === true) return 4;
  if (LOOKS.test(name)) return 1;
  return annotations.destructiveHint === false ? 2 : 3;
}

function guesses({ sample }: PickedTool): number {
  return sample.guessed.length;
}

function size({ sample }: PickedTool): number {
  const count = Object.keys(sample.arguments).length;
  return count === 0 ? 1.5 : count;
}
