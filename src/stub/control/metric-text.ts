/** A value of a metric with its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
  /** Appended to the name, such as `_bucket` of a histogram. */
  readonly suffix?: string;
}

/** A metric: its name in the style of Prometheus, what it counts, and its samples. */
export interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  readonly help: string;
  readonly samples: readonly Sample[];
}

export const metricsMediaType = "text/plain; version=0.0.4; charset=utf-8";

/** Renders metrics in the text format 0.0.4 of Prometheus. */
export function metricText(metrics: readonly Metric[]): string {
  return metrics
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels = {}, value, suffix = "" }) => `${name}${suffix}${labelText(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
