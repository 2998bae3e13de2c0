import type { Job } from "kubernetes-types/batch/v1.js";
import { settings } from "./settings.ts";

const { shards } = settings;
const name = "understudy-check";
const folder = "/data";

/** A check of a recording, in parts that run beside each other. */
export function checkJob(): Job {
  // 1 means that there are findings. The merge decides.
  const line = `understudy check traffic.har --shard auto/${shards} --report part-$JOB_COMPLETION_INDEX.json --force || [ $? = 1 ]`;
  const { spec, ...job } = jobOf(name, line);
  return { ...job, spec: { completionMode: "Indexed", completions: shards, parallelism: shards, ...spec } };
}

/** The last step: joins the reports of the parts. Its exit code is that of the whole check. */
export function mergeJob(): Job {
  return jobOf(`${name}-merge`, "understudy check merge part-*.json --report verdict.html --force");
}

function jobOf(job: string, line: string) {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: job },
    spec: {
      backoffLimit: 0,
      template: {
        spec: {
          restartPolicy: "Never",
          containers: [
            {
              name: "check",
              image: settings.image,
              command: ["sh", "-c", line],
              workingDir: folder,
              volumeMounts: [{ name: "data", mountPath: folder }],
            },
          ],
          volumes: [{ name: "data", persistentVolumeClaim: { claimName: name } }],
        },
      },
    },
  } satisfies Job;
}
