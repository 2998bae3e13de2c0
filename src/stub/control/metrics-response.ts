import { type Response, textResponse } from "../../foundation/http/response.ts";
import type { Hosting } from "../hosting/hosting.ts";
import { durationClassesMs, type OperationCounts } from "../hosting/hosting-counts.ts";
import type { KeptWorlds } from "../hosting/kept-worlds.ts";
import { type Metric, metricsMediaType, metricText, type Sample } from "./metric-text.ts";
import type { ServerProcess } from "./server-process.ts";

/** The metrics in the text format of Prometheus. No label has a value that a client chooses. */
export function metricsResponse(hosting: Hosting, process: ServerProcess | undefined): Response {
  const metrics = [
    ...requestMetrics(hosting),
    ...worldMetrics(hosting),
    ...(hosting.kept === undefined ? [] : storeMetrics(hosting.kept)),
    ...limitMetrics(hosting),
    ...(process === undefined ? [] : processMetrics(process)),
  ];
  return textResponse(200, metricsMediaType, metricText(metrics));
}

function requestMetrics({ counts: { operations } }: Hosting): readonly Metric[] {
  const counted = [...operations].map(([id = "none", counts]) => ({ operation: id, counts }));
  const requests = counted.flatMap(({ operation, counts }) =>
    [...counts.statuses].map(([status, value]) => ({
      labels: { operation, status: status === 0 ? "broken" : String(status) },
      value,
    })),
  );
  const durations = counted.flatMap(({ operation, counts }) => histogram({ operation }, counts));
  return [
    metric(
      "counter",
      "understudy_requests_total",
      'Requests that worlds have answered, by operation ("none" without one) and status ("broken" if a network fault cut the response off).',
      requests,
    ),
    metric(
      "histogram",
      "understudy_request_duration_seconds",
      "Time from the arrival of a request to its response, planned delays and the store included. The clock has milliseconds.",
      durations,
    ),
  ];
}

/** The samples of a histogram: each class contains the shorter ones. */
function histogram(labels: Readonly<Record<string, string>>, counts: OperationCounts): readonly Sample[] {
  let sum = 0;
  const buckets = counts.durations.map((count, index) => {
    sum += count;
    const classMs = durationClassesMs[index];
    const le = classMs === undefined ? "+Inf" : String(classMs / 1000);
    return { suffix: "_bucket", labels: { ...labels, le }, value: sum };
  });
  return [
    ...buckets,
    { suffix: "_sum", labels, value: counts.durationMs / 1000 },
    { suffix: "_count", labels, value: sum },
  ];
}

function worldMetrics({ worlds, counts, profile }: Hosting): readonly Metric[] {
  let [exchanges, bytes] = [0, 0];
  for (const { journal } of worlds.values()) {
    exchanges += journal.last - journal.dropped;
    bytes += journal.bytes;
  }
  const firsts = [...worlds].filter(([id, { first }]) => id === first);
  return [
    metric("gauge", "understudy_profile", "The served profiles.", [{ labels: { ...profile }, value: 1 }]),
    gauge("understudy_worlds", "Worlds in the memory of this process.", firsts.length),
    counter("understudy_worlds_created_total", "Worlds that were forked or imported.", counts.created),
    gauge("understudy_journal_exchanges", "Exchanges in the journals of all worlds.", exchanges),
    gauge("understudy_journal_bytes", "Approximate size of the journals of all worlds.", bytes),
  ];
}

function storeMetrics({ keeper, refusals }: KeptWorlds): readonly Metric[] {
  const { counts, isResponding, isHeld } = keeper;
  const { commits, commitMs, changes, faults, worlds, lost } = counts;
  return [
    counter("understudy_store_changes_total", "Changes that were stored.", changes),
    metric(
      "summary",
      "understudy_store_commit_duration_seconds",
      "Time from the first attempt of a transaction to its end.",
      [
        { suffix: "_sum", value: commitMs / 1000 },
        { suffix: "_count", value: commits },
      ],
    ),
    counter("understudy_store_faults_total", "Uses of the store that failed; a repeated one counts each time.", faults),
    gauge("understudy_store_up", "1 if the store responded to its last use.", isResponding ? 1 : 0),
    gauge("understudy_lease_valid", "1 if the lease on the worlds is valid.", isHeld ? 1 : 0),
    gauge("understudy_lease_worlds", "Worlds that this process owns.", worlds),
    counter("understudy_lease_worlds_lost_total", "Worlds that another process may own since a lease lapsed.", lost),
    metric(
      "counter",
      "understudy_store_refusals_total",
      "Requests refused because of the store: owned and lost (another process owns the world), unavailable (not executed), unreadable (what the store has is not readable), unknown (not known whether the changes are stored).",
      [...refusals].map(([reason, value]) => ({ labels: { reason }, value })),
    ),
  ];
}

function limitMetrics({ limits }: Hosting): readonly Metric[] {
  const { limits: reports, malformed } = limits.report();
  const labelled = (value: (report: (typeof reports)[number]) => number | null) =>
    reports.flatMap((report) => {
      const found = value(report);
      return found === null ? [] : [{ labels: { limit: report.name }, value: found }];
    });
  return [
    metric(
      "counter",
      "understudy_limit_exceeded_total",
      "What was refused, dropped or ended because of a limit, by the name of the limit.",
      labelled(({ exceeded }) => exceeded),
    ),
    metric(
      "gauge",
      "understudy_limit",
      "Values of the limits.",
      labelled(({ value }) => value),
    ),
    metric(
      "gauge",
      "understudy_limit_in_use",
      "Use of the limits.",
      labelled(({ inUse }) => inUse),
    ),
    counter("understudy_malformed_requests_total", "Messages that were not valid HTTP requests.", malformed),
  ];
}

/** Metrics with the names that Prometheus recommends to all processes. */
function processMetrics(process: ServerProcess): readonly Metric[] {
  const { startSeconds, cpuSeconds, residentBytes, heapUsedBytes } = process.usage();
  return [
    gauge("process_start_time_seconds", "Start of the process, in seconds since the epoch.", startSeconds),
    counter("process_cpu_seconds_total", "Processor time of user and system.", cpuSeconds),
    gauge("process_resident_memory_bytes", "Resident memory.", residentBytes),
    gauge("nodejs_heap_size_used_bytes", "Used heap of Node.", heapUsedBytes),
  ];
}

function gauge(name: string, help: string, value: number): Metric {
  return metric("gauge", name, help, [{ value }]);
}

function counter(name: string, help: string, value: number): Metric {
  return metric("counter", name, help, [{ value }]);
}

function metric(type: Metric["type"], name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, type, help, samples };
}
