import { z } from 'zod';
import { describe, didYouMean, refuse } from './explain.ts';
import { isMatcherName, isTypeWord, MATCHERS, TYPE_WORDS } from './matchers.ts';
import { warnOfOddNumber } from './oddNumbers.ts';
import { patternProblem } from './pattern.ts';
import { wholePlaceholder } from './placeholders.ts';
import { child, lastName } from './pointer.ts';
import { readingOf } from './readings.ts';
import type { Report } from './report.ts';

/** Reports every mistake in a value that may hold matchers at any depth; true when there is none. */
export function checkMatchers(value: unknown, pointer: string, report: Report): boolean {
  if (typeof value === 'string') return checkText(value, pointer, report);
  if (typeof value === 'number') return warnOfOddNumber(value, pointer, report);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return checkEach(value, pointer, report);
  const keys = Object.keys(value);
  const operator = keys.find((key) => key.startsWith('$'));
  if (operator === undefined) return checkMembers(value, pointer, report);
  const plain = keys.find((key) => !key.startsWith('$'));
  if (plain === undefined) return checkOperators(value, pointer, report);
  const message = `${operator} and ${JSON.stringify(plain)} stand in one map; either all keys begin with "$" or none`;
  const hint = `Combine them: $allOf: [{ ${operator}: … }, { ${plain}: … }]; a key that really begins with "$" goes inside $eq.`;
  return report.add('SUITE022', child(pointer, operator), message, { key: true, hint });
}

function checkEach(values: readonly unknown[], pointer: string, report: Report): boolean {
  let isSound = true;
  for (const [index, value] of values.entries()) {
    if (!checkMatchers(value, child(pointer, index), report)) isSound = false;
  }
  return isSound;
}

function checkMembers(map: object, pointer: string, report: Report): boolean {
  let isSound = true;
  for (const [key, value] of Object.entries(map)) {
    if (!checkMatchers(value, child(pointer, key), report)) isSound = false;
  }
  return isSound;
}

function checkOperators(map: object, pointer: string, report: Report): boolean {
  let isSound = true;
  for (const [name, operand] of Object.entries(map)) {
    if (!checkOperator(name, operand, child(pointer, name), report)) isSound = false;
  }
  return isSound;
}

function checkOperator(name: string, operand: unknown, pointer: string, report: Report): boolean {
  if (!isMatcherName(name)) {
    const typed = isTypeWord(name)
      ? { hint: `${name} stands alone, as a text.` }
      : didYouMean(name, Object.keys(MATCHERS));
    const literal = { hint: 'Put a key that really begins with "$" inside $eq.' };
    return report.add('SUITE021', pointer, `unknown matcher "${name}"`, { key: true, ...literal, ...typed });
  }
  const { operand: schema, holds } = MATCHERS[name];
  // A whole placeholder takes the type of its value, which is known when the trial starts.
  if (typeof operand === 'string' && wholePlaceholder(operand) !== undefined) return true;
  if (holds === 'matcher') return checkMatchers(operand, pointer, report);
  if (holds === 'matchers') return checkChoices(schema, operand, pointer, report);
  if (!schema.safeParse(operand).success) return refuseOperand(schema, operand, pointer, report);
  if (name === '$matches') return checkPattern(String(operand), pointer, report);
  return typeof operand !== 'number' || warnOfOddNumber(operand, pointer, report);
}

function checkChoices(schema: z.ZodType, operand: unknown, pointer: string, report: Report): boolean {
  const isList = Array.isArray(operand) && (operand.length > 0 || schema.safeParse(operand).success);
  return isList ? checkEach(operand, pointer, report) : refuse(schema, operand, pointer, report);
}

/** An operand is small: where a map of it is wrong, the map as a whole is shown. */
function refuseOperand(schema: z.ZodType, operand: unknown, pointer: string, report: Report): false {
  if (readingOf(schema).expects !== undefined) return refuse(schema, operand, pointer, report);
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape).join(', ') : '';
  const message = `"${lastName(pointer)}" must be a map { ${keys} } of numbers; found ${describe(operand)}`;
  return report.add('SUITE003', pointer, message);
}

/** Reports what is wrong with a regular expression. */
export function checkPattern(pattern: string, pointer: string, report: Report): boolean {
  const problem = patternProblem(pattern);
  if (problem === undefined) return true;
  const { code, message, hint } = problem;
  return report.add(code, pointer, message, hint === undefined ? {} : { hint });
}

const BARE_WORDS: ReadonlySet<string> = new Set(Object.keys(TYPE_WORDS).map((word) => word.slice(1)));

/** Keys under which a type word is most often itself the value. */
const NAMES_A_TYPE = /type$|^(?:kind|format)$/i;

function checkText(text: string, pointer: string, report: Report): boolean {
  if (BARE_WORDS.has(text) && !NAMES_A_TYPE.test(lastName(pointer))) {
    const message = `"${text}" is the word itself`;
    const fix = { title: `Change to $${text}`, text: `$${text}` };
    report.add('SUITE004', pointer, message, { severity: 'hint', hint: `Did you mean $${text}?`, fix });
  }
  if (!/^\$[A-Za-z]\w*$/.test(text) || isTypeWord(text)) return true;
  const known = isMatcherName(text)
    ? { hint: `It takes a value: { ${text}: … }.` }
    : didYouMean(text, Object.keys(TYPE_WORDS));
  const literal = { hint: `For the text itself write { $eq: '${text}' }.` };
  return report.add('SUITE021', pointer, `unknown matcher "${text}"`, { ...literal, ...known });
}
