import type { Deployment, StatefulSet } from "kubernetes-types/apps/v1.js";
import type { ConfigMap, Container, PodSpec, SecurityContext, Service } from "kubernetes-types/core/v1.js";
import type { Ingress } from "kubernetes-types/networking/v1.js";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.js";
import { nginxText } from "./nginx-text.ts";
import { memoryMebi, replicaVariables, settings } from "./settings.ts";

const { name, port, secret, probes } = settings;
const proxyName = `${name}-proxy`;
const indexes: readonly number[] = Array.from({ length: settings.replicas }, (_, index) => index);
const replicaLabels = { app: name };
const proxyLabels = { app: proxyName };

/** What a container may not do. */
const confined: SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

/** The replicas and nginx in a cluster. The database and the secret are the operator's. */
export function kubernetesObjects(): readonly object[] {
  return [
    replicas(),
    governingService(),
    ...indexes.map(replicaService),
    proxyConfiguration(),
    proxy(),
    proxyService(),
    ingress(),
    ...[replicaLabels, proxyLabels].map(disruptionBudget),
  ];
}

function replicas(): StatefulSet {
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name },
    spec: {
      serviceName: name,
      replicas: settings.replicas,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: replicaLabels },
      template: {
        metadata: { labels: replicaLabels },
        spec: podOf(replicaContainer(), replicaLabels, settings.imageUser),
      },
    },
  };
}

function replicaContainer(): Container {
  const fromSecret = (variable: string, key: string) => ({
    name: variable,
    valueFrom: { secretKeyRef: { name, key } },
  });
  const probe = (path: string) => ({ httpGet: { path, port: "http" }, periodSeconds: 2, timeoutSeconds: 2 });
  return {
    name,
    image: settings.image,
    env: [
      ...Object.entries(replicaVariables).map(([variable, value]) => ({ name: variable, value })),
      { name: "UNDERSTUDY_ALLOW_HOST", value: `${settings.host},${proxyName}` },
      fromSecret("UNDERSTUDY_STORE", secret.databaseUrl),
      fromSecret("UNDERSTUDY_CONTROL_TOKEN", secret.controlToken),
    ],
    ports: [{ name: "http", containerPort: port }],
    startupProbe: { ...probe(probes.live), failureThreshold: 60 },
    livenessProbe: { ...probe(probes.live), failureThreshold: 5 },
    readinessProbe: { ...probe(probes.ready), failureThreshold: 1 },
    resources: { requests: { cpu: "250m", memory: `${memoryMebi / 2}Mi` }, limits: { memory: `${memoryMebi}Mi` } },
    securityContext: confined,
    volumeMounts: [{ name: "temporary", mountPath: "/tmp" }],
  };
}

function podOf(container: Container, labels: Readonly<Record<string, string>>, user: number): PodSpec {
  return {
    terminationGracePeriodSeconds: settings.stopSeconds,
    securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: "RuntimeDefault" } },
    automountServiceAccountToken: false,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "kubernetes.io/hostname",
        whenUnsatisfiable: "ScheduleAnyway",
        labelSelector: { matchLabels: { ...labels } },
      },
    ],
    containers: [container],
    volumes: [{ name: "temporary", emptyDir: {} }],
  };
}

/** The service that a StatefulSet names. Nothing sends requests to it. */
function governingService(): Service {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { clusterIP: "None", selector: replicaLabels, ports: [{ name: "http", port }] },
  };
}

/**
 * A replica under an address of its own, which stays when its pod is replaced: nginx resolves names only when it starts. nginx
 * sends requests to a replica that is not ready too: the replica knows which requests it did not execute.
 */
function replicaService(index: number): Service {
  const replica = `${name}-${index}`;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: replica },
    spec: {
      publishNotReadyAddresses: true,
      selector: { ...replicaLabels, "statefulset.kubernetes.io/pod-name": replica },
      ports: [{ name: "http", port, targetPort: "http" }],
    },
  };
}

function proxyConfiguration(): ConfigMap {
  const text = nginxText({
    title: "nginx.conf",
    folder: "/tmp/",
    log: "/dev/stderr",
    listen: String(port),
    router: `127.0.0.1:${settings.routerPort}`,
    replicas: indexes.map((index) => `${name}-${index}:${port}`),
  });
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: proxyName }, data: { "nginx.conf": text } };
}

function proxy(): Deployment {
  const container: Container = {
    name: "nginx",
    image: settings.proxyImage,
    command: ["nginx", "-g", "daemon off;"],
    ports: [{ name: "http", containerPort: port }],
    readinessProbe: { tcpSocket: { port: "http" }, periodSeconds: 2 },
    resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "128Mi" } },
    securityContext: confined,
    volumeMounts: [
      { name: "temporary", mountPath: "/tmp" },
      { name: "configuration", mountPath: "/etc/nginx/nginx.conf", subPath: "nginx.conf" },
    ],
  };
  const pod = podOf(container, proxyLabels, 101);
  const configuration = { name: "configuration", configMap: { name: proxyName } };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: proxyName },
    spec: {
      replicas: 2,
      selector: { matchLabels: proxyLabels },
      template: {
        metadata: { labels: proxyLabels },
        spec: { ...pod, volumes: [...(pod.volumes ?? []), configuration] },
      },
    },
  };
}

function proxyService(): Service {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: proxyName },
    spec: { selector: proxyLabels, ports: [{ name: "http", port: 80, targetPort: "http" }] },
  };
}

function ingress(): Ingress {
  const backend = { service: { name: proxyName, port: { name: "http" } } };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name: proxyName },
    spec: { rules: [{ host: settings.host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }] },
  };
}

function disruptionBudget(labels: Readonly<Record<"app", string>>): PodDisruptionBudget {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: labels.app },
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  };
}
