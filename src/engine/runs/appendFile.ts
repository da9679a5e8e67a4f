import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

/** Written at once; more in the queue waits for the next write. */
const LARGEST_BATCH = 4 * 1024 * 1024;

interface Waiting {
  bytes: Buffer;
  resolve(offset: number): void;
  reject(error: unknown): void;
}

/**
 * A new file that only grows. A piece counts as appended once it is on disk: written in full and synced. While a sync is
 * under way further pieces gather and share the next one, so waiting for the disk costs little when many append at once.
 *
 * After a failed write the file ends behind the last whole piece and takes nothing more.
 */
export class AppendFile {
  readonly #handle: FileHandle;
  readonly #queue: Waiting[] = [];
  #size = 0;
  #waitingBytes = 0;
  #failure: { error: unknown } | null = null;
  #draining: Promise<void> | null = null;

  /** @throws NodeJS.ErrnoException EEXIST when there is such a file */
  static async create(path: string): Promise<AppendFile> {
    return new AppendFile(await open(path, 'wx', 0o600));
  }

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /**
   * @returns the byte offset at which the piece begins, once it is on disk
   * @throws NodeJS.ErrnoException when it cannot be written, and for every piece after that
   */
  append(bytes: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#reason());
      this.#queue.push({ bytes, resolve, reject });
      this.#waitingBytes += bytes.length;
      this.#draining ??= this.#drain();
    });
  }

  /** Bytes that are not on disk yet. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  async close(): Promise<void> {
    await this.#draining;
    await this.#handle.close();
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0 && this.#failure === null) {
      const batch = this.#takeBatch();
      const start = this.#size;
      await this.#write(batch);
      let offset = start;
      for (const { bytes, resolve, reject } of batch) {
        if (offset + bytes.length <= this.#size) resolve(offset);
        else reject(this.#reason());
        offset += bytes.length;
        this.#waitingBytes -= bytes.length;
      }
    }
    this.#draining = null;
    for (const { reject } of this.#queue.splice(0)) reject(this.#reason());
  }

  #reason(): unknown {
    return this.#failure?.error;
  }

  #takeBatch(): Waiting[] {
    let count = 0;
    let bytes = 0;
    for (const piece of this.#queue) {
      if (count > 0 && bytes + piece.bytes.length > LARGEST_BATCH) break;
      count++;
      bytes += piece.bytes.length;
    }
    return this.#queue.splice(0, count);
  }

  /** Moves `#size` behind what is on disk; keeps the reason where that is not the whole batch. */
  async #write(batch: readonly Waiting[]): Promise<void> {
    const bytes = batch.length === 1 && batch[0] ? batch[0].bytes : Buffer.concat(batch.map((piece) => piece.bytes));
    let written = 0;
    try {
      // A write may be short: on a full disk the rest then fails with the reason.
      while (written < bytes.length) {
        const result = await this.#handle.write(bytes, written, bytes.length - written, this.#size + written);
        written += result.bytesWritten;
      }
      await this.#handle.datasync();
      this.#size += bytes.length;
    } catch (error) {
      this.#failure = { error };
      this.#size += await this.#keepWhole(batch, written);
    }
  }

  /** Drops a torn piece from the end of the file. @returns how many bytes of the batch stay */
  async #keepWhole(batch: readonly Waiting[], written: number): Promise<number> {
    let whole = 0;
    for (const { bytes } of batch) {
      if (whole + bytes.length > written) break;
      whole += bytes.length;
    }
    try {
      await this.#handle.truncate(this.#size + whole);
      await this.#handle.datasync();
      return whole;
    } catch {
      // The disk refuses even that: nothing of this batch counts, and readers drop a torn end.
      return 0;
    }
  }
}
