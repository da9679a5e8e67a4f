/** The small values of a suite file: what each looks like, and how a wrong one is told. */
import { z } from 'zod';
import { checkPattern } from '../checkMatchers.ts';
import { DURATION, durationMs } from '../duration.ts';
import { checkUncut } from '../freeText.ts';
import { MONEY } from '../money.ts';
import { PERCENT } from '../rate.ts';
import { type Remedy, reads } from '../readings.ts';
import { isGlob, MOST_STARS } from '../toolName.ts';

/** A key of a map: optional, with what the editor shows for it. */
export function key<Schema extends z.ZodType>(schema: Schema, description: string, ...examples: unknown[]) {
  return schema.optional().meta({ description, ...(examples.length > 0 && { examples }) });
}

export const Text = reads(z.string().min(1), { expects: 'text' });

/** A sentence or more, in which a `#` is likely. */
export const FreeText = reads(z.string().regex(/\S/), {
  expects: 'text',
  check: (value, pointer, report) => checkUncut(String(value), pointer, report),
});

export const Flag = reads(z.boolean(), { expects: 'true or false', remedy: booleanRemedy });

const BOOLEANS: Readonly<Record<string, string>> = {
  yes: 'true',
  on: 'true',
  y: 'true',
  no: 'false',
  off: 'false',
  n: 'false',
};

/** A reason, or true; a word that was once a boolean in YAML is no reason. */
export const FlagOrReason = reads(z.union([z.boolean(), z.string().min(1)]), {
  expects: 'true, or a reason',
  check: (value, pointer, report) => {
    const remedy = booleanRemedy(value);
    if (remedy === undefined) return true;
    return report.add(
      'SUITE004',
      pointer,
      `${JSON.stringify(value)} is read as a reason, which counts as true`,
      remedy,
    );
  },
});

export function booleanRemedy(value: unknown): Remedy | undefined {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'true' || word === 'false') return { hint: 'Remove the quotes.', fix: replaceWith(word) };
  const meant = Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : undefined;
  if (meant === undefined) return undefined;
  return { hint: `"${value}" is text in YAML 1.2; write ${meant}.`, fix: replaceWith(meant) };
}

/** A whole number within bounds. */
export function whole(min: number, max: number) {
  return reads(z.int().min(min).max(max), {
    expects: `a whole number from ${min} to ${max}`,
    isBounded: true,
    remedy: (value) => (typeof value === 'string' && /^\d+$/.test(value) ? unquote(value) : undefined),
  });
}

/** A count without an upper bound. */
export const Count = reads(z.int().min(0), { expects: 'a whole number from 0', isBounded: true });

export const Duration = reads(z.string().regex(DURATION).meta({ id: 'duration' }), {
  expects: 'a duration with a unit, such as 30s',
  remedy: durationRemedy,
});

/** A duration to wait at most. */
export function timeout(longest: string) {
  return reads(z.string().regex(DURATION), {
    expects: 'a duration with a unit, such as 30s',
    remedy: durationRemedy,
    check: (value, pointer, report) => {
      const ms = durationMs(String(value));
      const message = `a timeout must be over 0 and at most ${longest}`;
      return (ms > 0 && ms <= durationMs(longest)) || report.add('SUITE016', pointer, message);
    },
  });
}

/** Longer than a day no timer of the platform waits reliably, and no trial should. */
export const Timeout = timeout('1d');

function durationRemedy(value: unknown): Remedy | undefined {
  const bare = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
  return bare ? { hint: `Write the unit: ${value}s, or ${value}ms.` } : undefined;
}

export const Money = reads(z.string().regex(MONEY).meta({ id: 'money' }), {
  expects: 'an amount of US dollars such as $0.05',
  remedy: (value) => {
    const figure = /^(\d+(?:\.\d+)?)(?: ?(?:USD|\$))?$/i.exec(String(value))?.[1];
    return figure === undefined ? undefined : { hint: `Write $${figure}.`, fix: replaceWith(`$${figure}`) };
  },
});

const Percent = z.union([z.string().regex(PERCENT), z.number().min(0).max(1)]);

export const Rate = reads(Percent.meta({ id: 'rate' }), {
  expects: 'a rate such as 90% or 0.9',
  isBounded: true,
  remedy: (value) => {
    if (typeof value === 'string' && /^\d*\.?\d+$/.test(value)) return unquote(value);
    const isPercent = typeof value === 'number' && value > 1 && value <= 100;
    return isPercent ? { hint: `Did you mean ${value}%?`, fix: replaceWith(`${value}%`) } : undefined;
  },
});

const TOOL = 'the name of a tool, perhaps with its server: weather::get_weather';

/** A name or a glob, perhaps with a server. */
export const ToolPattern = reads(z.string().min(1).meta({ id: 'toolPattern' }), {
  expects: `${TOOL}, or a glob such as get_*`,
  check: (value, pointer, report) => {
    const stars = String(value).split('*').length - 1;
    if (stars <= MOST_STARS) return true;
    return report.add('SUITE016', pointer, `a tool pattern takes at most ${MOST_STARS} "*"; found ${stars}`);
  },
});

/** One tool that is really called. */
export const ToolName = reads(z.string().min(1), {
  expects: TOOL,
  check: (value, pointer, report) =>
    !isGlob(String(value).replaceAll('{{', '')) ||
    report.add('SUITE003', pointer, `${JSON.stringify(value)} is a pattern; a tool that is called needs its full name`),
});

export const Pattern = reads(z.string().min(1), {
  expects: 'a regular expression',
  check: (value, pointer, report) => checkPattern(String(value), pointer, report),
});

export const EnvironmentName = reads(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), {
  expects: 'the name of an environment variable',
});

/** Letters and digits of every script, with `-`, `_` and `.` between them. */
export const Id = reads(z.string().regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u), {
  expects: 'letters, digits, "-", "_" and "."',
});

function replaceWith(text: string): { title: string; text: string } {
  return { title: `Change to ${text}`, text };
}

function unquote(text: string): Remedy {
  return { hint: 'Remove the quotes.', fix: replaceWith(text) };
}
