import type { ServerAddress } from '../connection.ts';

/** Shorter values stand in texts by chance. */
const SHORTEST = 8;

/** A text of the server's without the header values and the secrets of the URL, which it may have sent back. */
export function maskSecrets(text: string, { url, headers }: ServerAddress): string {
  const { username, password, searchParams } = new URL(url);
  const values = [...Object.values(headers), ...searchParams.values(), username, password]
    .flatMap((value) => [value, value.replace(/^\S+\s+/, '')])
    .filter((value) => value.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  return values.reduce((masked, value) => masked.replaceAll(value, '…'), text);
}
