/** One line of a metric: the values of its labels, in their order, and the figure. */
type Sample = readonly [labels: readonly string[], value: number];

type MetricType = 'counter' | 'gauge' | 'histogram';

interface MetricNames {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Media type of the text form that Prometheus reads. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Figures as they are at this moment, each with the values of its labels. */
export function gauge(names: MetricNames, samples: readonly Sample[]): string {
  return block(names, 'gauge', lines(names.name, names.labels ?? [], samples));
}

/** The same for what others count, and what never falls. */
export function counted(names: MetricNames, samples: readonly Sample[]): string {
  return block(names, 'counter', lines(names.name, names.labels ?? [], samples));
}

/** Counts what happens. Whoever adds to it sees to it that labels have few values. */
export class Counter {
  private readonly names: MetricNames;
  private readonly values = new Map<string, { readonly labels: readonly string[]; value: number }>();

  constructor(names: MetricNames) {
    this.names = names;
  }

  add(...labels: readonly string[]): void {
    const key = labels.join('\n');
    const known = this.values.get(key);
    if (known) known.value += 1;
    else this.values.set(key, { labels, value: 1 });
  }

  text(): string {
    return counted(
      this.names,
      [...this.values.values()].map(({ labels, value }) => [labels, value]),
    );
  }
}

interface Observed {
  readonly labels: readonly string[];
  /** How many were at most as long as each bound, and longer than the one before; the last are longer than all. */
  readonly counts: number[];
  sum: number;
}

/** Seconds, from a cached answer to one that others have long given up on. */
const BOUNDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** How long things took. */
export class Durations {
  private readonly names: MetricNames;
  private readonly observed = new Map<string, Observed>();

  constructor(names: MetricNames) {
    this.names = names;
  }

  add(milliseconds: number, ...labels: readonly string[]): void {
    const seconds = milliseconds / 1000;
    const key = labels.join('\n');
    const known = this.observed.get(key) ?? { labels, counts: [...BOUNDS.map(() => 0), 0], sum: 0 };
    this.observed.set(key, known);
    const found = BOUNDS.findIndex((bound) => seconds <= bound);
    const place = found < 0 ? BOUNDS.length : found;
    known.counts[place] = (known.counts[place] ?? 0) + 1;
    known.sum += seconds;
  }

  text(): string {
    const { names } = this;
    const own = names.labels ?? [];
    const all = [...this.observed.values()].flatMap(({ labels, counts, sum }) => {
      let total = 0;
      const buckets = counts.map((count, index): Sample => {
        total += count;
        return [[...labels, String(BOUNDS[index] ?? '+Inf')], total];
      });
      return [
        ...lines(`${names.name}_bucket`, [...own, 'le'], buckets),
        ...lines(`${names.name}_sum`, own, [[labels, sum]]),
        ...lines(`${names.name}_count`, own, [[labels, total]]),
      ];
    });
    return block(names, 'histogram', all);
  }
}

function block({ name, help }: MetricNames, type: MetricType, samples: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples, ''].join('\n');
}

function lines(name: string, labels: readonly string[], samples: readonly Sample[]): readonly string[] {
  return samples.map(([values, value]) => {
    const given = labels.map((label, index) => `${label}="${escaped(values[index] ?? '')}"`).join();
    return `${name}${given === '' ? '' : `{${given}}`} ${value}`;
  });
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`));
}
