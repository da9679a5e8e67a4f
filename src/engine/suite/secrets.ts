import { isMap } from './check.ts';
import type { Lines } from './lines.ts';
import { child } from './pointer.ts';
import type { Problems } from './problems.ts';
import type { Report } from './report.ts';

const KEYS: readonly { issuer: string; form: RegExp }[] = [
  { issuer: 'an Anthropic key', form: /sk-ant-[\w-]{16,}/ },
  { issuer: 'an OpenAI key', form: /sk-(?:proj-)?[\w-]{20,}/ },
  { issuer: 'a GitHub token', form: /gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}/ },
  { issuer: 'a GitLab token', form: /glpat-[\w-]{20,}/ },
  { issuer: 'a Slack token', form: /xox[abprs]-[A-Za-z0-9-]{10,}/ },
  { issuer: 'an AWS key', form: /AKIA[0-9A-Z]{16}/ },
  { issuer: 'a Google key', form: /AIza[\w-]{35}/ },
  { issuer: 'a Hugging Face token', form: /hf_[A-Za-z0-9]{30,}/ },
  { issuer: 'an npm token', form: /npm_[A-Za-z0-9]{36}/ },
  { issuer: 'a Stripe key', form: /[rs]k_live_[A-Za-z0-9]{16,}/ },
];

const ANY_KEY = new RegExp(`(?<![\\w-])(?:${KEYS.map(({ form }) => form.source).join('|')})`, 'g');

/** Warns of everything in the text that looks like a key of a known issuer, comments included. */
export function warnOfKeys(lines: Lines, problems: Problems): void {
  for (const { 0: found, index } of lines.text.matchAll(ANY_KEY)) {
    const issuer = KEYS.find(({ form }) => found.search(form) === 0)?.issuer ?? 'a key';
    problems.add({
      code: 'SUITE014',
      severity: 'warning',
      message: `this looks like ${issuer} (${found.slice(0, 6)}…${found.slice(-2)})`,
      hint: HINT,
      range: lines.range(index, index + found.length),
    });
  }
}

const HINT = `Put it in the environment and write \${env:NAME}.`;

/** Names of variables whose values are secrets. */
const NAMES_A_SECRET = /KEY|TOKEN|SECRET|PASSWORD|AUTH|CREDENTIAL/i;
const SHORTEST_SECRET = 8;

/** Headers whose values are secrets, beside those with such names. */
const SECRET_HEADER = /cookie/i;

/**
 * Warns of variables and headers of servers that are named like secrets and hold their value literally, and of models'
 * keys.
 */
export function warnOfLiterals({ servers, models }: { servers?: unknown; models?: unknown }, report: Report): void {
  for (const [index, model] of (Array.isArray(models) ? models : []).entries()) {
    if (isMap(model) && isLiteral(model.apiKey)) warnOf('apiKey', child(child('/models', index), 'apiKey'), report);
  }
  if (!isMap(servers)) return;
  for (const [server, keys] of Object.entries(servers)) {
    const at = child('/servers', server);
    if (!isMap(keys)) continue;
    warnOfServer(keys, at, report);
    for (const [system, own] of Object.entries(isMap(keys.os) ? keys.os : {})) {
      if (isMap(own)) warnOfServer(own, child(`${at}/os`, system), report);
    }
  }
}

function warnOfServer(keys: { readonly [key: string]: unknown }, pointer: string, report: Report): void {
  for (const key of ['env', 'headers'] as const) {
    const texts = keys[key];
    for (const [name, value] of Object.entries(isMap(texts) ? texts : {})) {
      const isSecret = NAMES_A_SECRET.test(name) || (key === 'headers' && SECRET_HEADER.test(name));
      if (isSecret && isLiteral(value)) warnOf(name, child(child(pointer, key), name), report);
    }
  }
}

/** A value that holds no variable, and that has not been warned of as the key of a known issuer. */
function isLiteral(value: unknown): boolean {
  if (typeof value !== 'string' || value.length < SHORTEST_SECRET) return false;
  return !value.includes('${') && value.search(ANY_KEY) < 0;
}

function warnOf(name: string, pointer: string, report: Report): void {
  report.add('SUITE014', pointer, `"${name}" stands here in plain sight`, { severity: 'warning', hint: HINT });
}
