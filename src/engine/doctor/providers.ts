import { PROVIDERS } from '../models/providers/providers.ts';
import type { Examination, Finding } from './finding.ts';

/** Which providers' keys the environment holds: by the names of the variables, never their values. */
export function examineProviders(env: NodeJS.ProcessEnv): Examination {
  const set: Finding[] = [];
  const unset: string[] = [];
  for (const [provider, { keys }] of PROVIDERS) {
    const complete = keys.find((names) => names.every((name) => (env[name] ?? '').trim() !== ''));
    if (complete !== undefined) set.push({ level: 'ok', text: `${provider}: ${complete.join(' and ')} set` });
    else if (keys.length > 0) unset.push(keys.map((names) => names.join(' and ')).join(' or '));
  }
  const findings: Finding[] = [...set];
  if (unset.length > 0) findings.push({ level: 'note', text: `not set: ${unset.join(', ')}` });
  if (set.length === 0) {
    findings.push({
      level: 'note',
      text: 'Without a key cases run on the scripted model, on ollama, and on models with a `baseUrl`.',
    });
  }
  return { kind: 'providers', title: 'Keys of model providers', findings };
}
