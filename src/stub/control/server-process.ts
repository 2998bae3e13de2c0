/** What a process has used since its start. */
export interface ProcessUsage {
  /** Seconds since the epoch. */
  readonly startSeconds: number;
  /** Processor time, of the system too. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
}

/** The process that serves a control API, for probes and metrics. */
export interface ServerProcess {
  usage(): ProcessUsage;
  /** Whether the process was asked to stop. It still serves requests. */
  isStopping(): boolean;
}
