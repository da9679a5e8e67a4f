/** Placeholders filled in: a case as written becomes the case of one trial. */
import { McproveError } from '../errors.ts';
import type { Json } from '../record.ts';
import { isMatcherMap, isTypeWord } from './matchers.ts';
import type {
  Assertion,
  AssertionBody,
  Case,
  Expect,
  ExpectedCall,
  Route,
  RouteEntry,
  ScriptReply,
  Subject,
  ToolChoice,
  ToolCondition,
  Words,
} from './model.ts';
import { fillText, fillValue, isCallName, type Lookup, mapMembers, wholePlaceholder } from './placeholders.ts';

export interface FillValues {
  /** By name; those that the case lists in `requires.env` are there, else it would have been skipped. */
  env: Readonly<Record<string, string | undefined>>;
  trialId: string;
}

/**
 * The case with `{{…}}` filled in every text but ids, tags, metadata and paths; the given case stays as it is. In
 * `$matches` and `responseMatches` the value is escaped. `{{calls[0].text}}` and its like in a scripted reply are left
 * for the scripted model, which alone knows them.
 *
 * @throws McproveError SUITE013 when an environment variable is not set, SUITE015 for a name that the reader would have
 *   refused
 */
export function fillCase(testCase: Case, values: FillValues): Case {
  const fill = new Filling(lookupIn(testCase.vars, values));
  return {
    ...testCase,
    name: fill.text(testCase.name),
    description: fill.textOrNull(testCase.description),
    subject: fill.subject(testCase.subject),
    route: testCase.route && fill.route(testCase.route),
    match: { ...testCase.match, ignoreTools: fill.texts(testCase.match.ignoreTools) },
    assertions: testCase.assertions.map((assertion) => fill.assertion(assertion)),
    tools: {
      ...testCase.tools,
      allow: testCase.tools.allow && fill.texts(testCase.tools.allow),
      deny: fill.texts(testCase.tools.deny),
    },
    system: fill.textOrNull(testCase.system),
    toolChoice: fill.toolChoice(testCase.toolChoice),
    script: testCase.script?.map((reply) => fill.reply(reply)) ?? null,
  };
}

function lookupIn(vars: Case['vars'], { env, trialId }: FillValues): Lookup {
  const filled = new Map<string, Json>();
  const open = new Set<string>();
  const lookup: Lookup = (name) => {
    if (name === 'trial.id') return trialId;
    if (name.startsWith('env.')) return environment(env, name.slice('env.'.length));
    const known = filled.get(name);
    if (known !== undefined) return known;
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
    if (value === undefined || open.has(name)) {
      throw new McproveError('SUITE015', `variable {{${name}}} is ${value === undefined ? 'not defined' : 'circular'}`);
    }
    open.add(name);
    const result = fillValue(value, lookup);
    open.delete(name);
    filled.set(name, result);
    return result;
  };
  return lookup;
}

function environment(env: FillValues['env'], name: string): string {
  const value = env[name];
  if (value !== undefined) return value;
  throw new McproveError('SUITE013', `environment variable "${name}" is not set`, {
    hint: 'List it in requires.env, so that the case is skipped without it.',
  });
}

/** One method for each shape of a case that holds texts. */
class Filling {
  readonly #lookup: Lookup;

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  text(text: string): string {
    return fillText(text, this.#lookup);
  }

  textOrNull(text: string | null): string | null {
    return text === null ? null : this.text(text);
  }

  texts(texts: readonly string[]): string[] {
    return texts.map((text) => this.text(text));
  }

  toolChoice(choice: ToolChoice | null): ToolChoice | null {
    return typeof choice === 'object' && choice !== null ? { tool: this.text(choice.tool) } : choice;
  }

  /** Arguments that the runner itself sends: nothing in them is a matcher. */
  sent(args: Record<string, Json>): Record<string, Json> {
    return fillValue(args, this.#lookup) as Record<string, Json>;
  }

  matcher(value: Json): Json {
    if (typeof value === 'string') return this.#matcherText(value);
    const operators = isMatcherMap(value);
    return mapMembers(value, (member, key) => {
      if (!operators) return this.matcher(member);
      if (key === '$eq' || key === '$ne') return fillValue(member, this.#lookup);
      if (key === '$matches' && typeof member === 'string') return this.pattern(member);
      return this.matcher(member);
    });
  }

  /** What comes from outside the suite never becomes a matcher. */
  #matcherText(text: string): Json {
    const filled = fillValue(text, this.#lookup);
    const fromOutside = wholePlaceholder(text)?.startsWith('env.') ?? false;
    return fromOutside && isTypeWord(filled) ? { $eq: filled } : filled;
  }

  pattern(text: string): string {
    return fillText(text, this.#lookup, (value) => value.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  }

  words(words: Words, fill: (text: string) => string): Words {
    return words.map((alternatives) => alternatives.map(fill));
  }

  subject(subject: Subject): Subject {
    if (subject.kind === 'trace') return subject;
    if (subject.kind === 'prompt') return { ...subject, prompt: this.text(subject.prompt) };
    return {
      ...subject,
      tool: this.text(subject.tool),
      arguments: this.sent(subject.arguments),
      expect: subject.expect && this.expect(subject.expect),
    };
  }

  expect(expect: Expect): Expect {
    const filled = { ...expect };
    if (expect.text !== undefined) filled.text = this.matcher(expect.text);
    if (expect.json !== undefined) filled.json = this.matcher(expect.json);
    return filled;
  }

  route(route: Route): Route {
    return { ...route, expected: route.expected.map((entry) => this.#entry(entry)) };
  }

  #entry(entry: RouteEntry): RouteEntry {
    if (!('anyOf' in entry)) return this.#call(entry);
    return { ...entry, anyOf: entry.anyOf.map((calls) => calls.map((call) => this.#call(call))) };
  }

  #call(call: ExpectedCall): ExpectedCall {
    return { ...call, tool: this.text(call.tool), ...this.#outcome(call) };
  }

  #outcome(call: { arguments?: Json; result?: Expect }): { arguments?: Json; result?: Expect } {
    return {
      ...(call.arguments === undefined ? {} : { arguments: this.matcher(call.arguments) }),
      ...(call.result === undefined ? {} : { result: this.expect(call.result) }),
    };
  }

  assertion(assertion: Assertion): Assertion {
    return { ...assertion, ...this.#body(assertion), label: this.text(assertion.label) };
  }

  #body(body: AssertionBody): AssertionBody {
    switch (body.kind) {
      case 'toolCalled':
      case 'toolNotCalled':
        return { kind: body.kind, value: this.#condition(body.value) };
      case 'onlyTools':
      case 'toolOrder':
        return { kind: body.kind, value: this.texts(body.value) };
      case 'firstTool':
      case 'lastTool':
        return { kind: body.kind, value: this.text(body.value) };
      case 'result': {
        const { tool, expect } = body.value;
        return { kind: body.kind, value: { tool: this.textOrNull(tool), expect: this.expect(expect) } };
      }
      case 'resultContains':
      case 'responseContains':
        return { kind: body.kind, value: this.words(body.value, (text) => this.text(text)) };
      case 'responseMatches':
        return { kind: body.kind, value: this.words(body.value, (text) => this.pattern(text)) };
      case 'response':
      case 'responseJson':
        return { kind: body.kind, value: this.matcher(body.value) };
      default:
        return body;
    }
  }

  #condition(condition: ToolCondition): ToolCondition {
    return {
      ...condition,
      tools: this.words(condition.tools, (text) => this.text(text)),
      ...this.#outcome(condition),
    };
  }

  reply(reply: ScriptReply): ScriptReply {
    const lookup: Lookup = (name) => (isCallName(name) ? `{{${name}}}` : this.#lookup(name));
    return {
      ...reply,
      say: reply.say === null ? null : fillText(reply.say, lookup),
      calls: reply.calls.map((call) => ({
        tool: this.text(call.tool),
        arguments: fillValue(call.arguments, lookup) as Record<string, Json>,
      })),
      fails: this.textOrNull(reply.fails),
    };
  }
}
