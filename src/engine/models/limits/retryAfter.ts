type Headers = Readonly<Record<string, string | undefined>>;

/**
 * How long a provider asks to be left alone, in milliseconds; null where it does not say. Read are `retry-after-ms`,
 * `Retry-After` in seconds or as a date (RFC 9110, 10.2.3; by the provider's own clock where it tells its time), and
 * `retryDelay` in the body, where Google says it.
 */
export function retryAfterMs(headers: Headers | undefined, body: string | undefined): number | null {
  const get = (name: string) => {
    const value = headers?.[name]?.trim();
    return value === '' ? undefined : value;
  };
  return number(get('retry-after-ms'), 1) ?? secondsOrDate(get('retry-after'), get('date')) ?? inBody(body);
}

function secondsOrDate(value: string | undefined, date: string | undefined): number | null {
  if (value === undefined) return null;
  const ms = number(value, 1000);
  if (ms !== null) return ms;
  // Date.parse takes nearly anything with a number for a date, "-5" too.
  const then = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(then)) return null;
  const said = date === undefined ? Number.NaN : Date.parse(date);
  return Math.max(0, then - (Number.isNaN(said) ? Date.now() : said));
}

function inBody(body: string | undefined): number | null {
  const [, seconds] = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body ?? '') ?? [];
  return number(seconds, 1000);
}

function number(text: string | undefined, unitMs: number): number | null {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * unitMs : null;
}
