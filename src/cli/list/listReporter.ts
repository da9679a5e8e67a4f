/** The reporter `list`: a run as it goes, for a person. Drawn over in place on a terminal, line by line in a log. */
import { type RunEnd, type RunEvent, type RunHead, visible, visibleLine } from '../../engine/index.ts';
import { summaryLines } from '../run/summary.ts';
import type { Output } from '../terminal.ts';
import { counted } from '../text/figures.ts';
import { indent, type Page } from '../text/page.ts';
import { displayPath, type Places } from '../text/places.ts';
import { width, wrap } from '../text/width.ts';
import { whyNot } from '../trial/chain.ts';
import { cellLine, isClean } from './cellLine.ts';
import { Failures } from './failures.ts';
import { InPlanOrder } from './inPlanOrder.ts';
import { LiveArea } from './liveArea.ts';
import { type FinishedCell, Progress } from './progress.ts';
import { logLine, statusLines } from './status.ts';

/** Often enough to look alive. */
const FRAME_MS = 100;
/** Often enough for a CI system not to think that the job hangs. */
const LOG_EVERY_MS = 30_000;
/** With more cells than this, those that passed are only counted. */
const LISTED_CELLS = 300;

export interface ListOptions {
  /** Of the suite; absolute. */
  file: string;
  places: Places;
  cwd: string;
  /** What authors call the cases of cells, where that says more than their ids. */
  names?: ReadonlyMap<string, string>;
  /** How mcprove was started; default `mcprove`. */
  command?: string;
  /** Passed cells are listed however many there are. */
  verbose: boolean;
  /** Milliseconds, monotonic. */
  now?: () => number;
}

export class ListReporter {
  readonly #out: Output;
  readonly #err: Output;
  readonly #options: ListOptions;
  readonly #path: string;
  readonly #now: () => number;
  readonly #progress: Progress;
  readonly #failures: Failures;
  /** In a log: finished cells that wait for one before them in the plan, so that two logs can be compared. */
  readonly #held: InPlanOrder | null;
  readonly #area: LiveArea | null;
  readonly #timer: NodeJS.Timeout;
  readonly #offResize: () => void;
  #startedAt = 0;
  #cells = 0;
  #cancelling = false;
  #ended = false;

  /** @param out results; @param err what is no result: notices */
  constructor(out: Output, err: Output, options: ListOptions) {
    this.#out = out;
    this.#err = err;
    this.#options = options;
    this.#path = displayPath(options.file, options.cwd);
    this.#now = options.now ?? (() => performance.now());
    this.#progress = new Progress(this.#now, whyNot);
    this.#failures = new Failures(options.names);
    this.#held = out.live ? null : new InPlanOrder();
    this.#area = out.live ? new LiveArea(out) : null;
    this.#timer = setInterval(() => this.#tick(), this.#area === null ? LOG_EVERY_MS : FRAME_MS);
    this.#timer.unref();
    this.#offResize = out.onResize(() => this.#tick());
  }

  take(event: RunEvent): void {
    const cell = this.#progress.take(event);
    if (event.type === 'planned') this.#begin(event);
    else if (event.type === 'trialEnded') this.#failures.add(event.trial, event.cellName);
    else if (event.type === 'notice') this.#notice(event);
    if (cell !== null) this.#finished(cell);
    if (event.type === 'ended') this.#end(event);
  }

  /** Says that the cancel has been heard. */
  cancelling(text: string): void {
    this.#cancelling = true;
    this.#log(text);
  }

  /** Takes the status off the screen and stops the clock; safe to call twice. */
  dispose(): void {
    clearInterval(this.#timer);
    this.#offResize();
    this.#area?.clear();
  }

  get #page(): Page {
    return { columns: this.#out.columns, ink: this.#out.ink };
  }

  #begin({ head, trials }: Extract<RunEvent, { type: 'planned' }>): void {
    this.#startedAt = this.#now();
    this.#cells = head.planned.cells;
    this.#failures.plan(trials);
    this.#held?.plan(trials);
    const { bold, dim } = this.#out.ink;
    const size = [counted(head.planned.cells, 'cell'), counted(trials.length, 'trial')];
    if (head.models.length > 0) size.push(head.models.map(visibleLine).join(', '));
    if (head.skipped.length > 0) size.push(`${head.skipped.length} skipped`);
    const facts = size.join(' · ');
    // A path is never broken; what is said of it goes below where there is no room beside it.
    const isShort = width(this.#path) + width(facts) + 2 < this.#out.columns;
    const below = indent(wrap(facts, this.#out.columns - 2), 2).map(dim);
    this.#print(isShort || this.#area === null ? [`${bold(this.#path)}  ${dim(facts)}`] : [bold(this.#path), ...below]);
    if (this.#hidesPassed) this.#print([dim(`  Passed cells are counted, not listed (--verbose lists them).`)]);
  }

  get #hidesPassed(): boolean {
    return this.#cells > LISTED_CELLS && !this.#options.verbose;
  }

  #finished(cell: FinishedCell): void {
    for (const next of this.#held?.add(cell) ?? [cell]) this.#show(next);
  }

  #show(cell: FinishedCell): void {
    if (this.#hidesPassed && isClean(cell)) return;
    const path = this.#area === null ? this.#path : null;
    this.#print(cellLine(cell, { page: this.#page, path }));
  }

  #notice({ level, text }: Extract<RunEvent, { type: 'notice' }>): void {
    const { yellow, red } = this.#err.ink;
    const style = { info: String, warning: yellow, error: red }[level];
    const name = level === 'info' ? '' : `${level}: `;
    this.#log(style(`${name}${visible(text)}`));
  }

  #end({ end, head, file }: { end: RunEnd; head: RunHead; file: string }): void {
    this.#ended = true;
    this.dispose();
    for (const cell of this.#held?.rest() ?? []) this.#show(cell);
    const page = this.#page;
    const failures = this.#failures.lines(this.#options.places, page);
    const summary = summaryLines(
      {
        end,
        head,
        file: displayPath(file, this.#options.cwd),
        advisories: this.#failures.advisories,
        lookAt: this.#failures.first,
        command: this.#options.command ?? 'mcprove',
      },
      page,
    );
    this.#out.lines(['', ...failures, ...summary]);
  }

  #print(lines: readonly string[]): void {
    if (this.#area === null) this.#out.lines(lines);
    else this.#area.print(lines);
  }

  /** On stderr; where both streams are the same screen, the status must make room first. */
  #log(text: string): void {
    this.#area?.clear();
    this.#err.line(text);
    if (this.#area !== null) this.#tick();
  }

  #tick(): void {
    // Before the plan there is nothing to tell.
    if (this.#ended || this.#progress.planned === 0) return;
    const now = this.#now();
    const state = { progress: this.#progress, now, startedAt: this.#startedAt, cancelling: this.#cancelling };
    if (this.#area !== null) this.#area.draw(statusLines(state, this.#page, this.#out.rows));
    else if (this.#progress.running.size > 0) this.#out.line(logLine(this.#path, state));
  }
}
