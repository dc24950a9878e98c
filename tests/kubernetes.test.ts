import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ScaledJob } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledJob'
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject'
import { TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication'
import { OwnerEnvironment } from '@svc/admin/create-owner'
import { ApiEnvironment } from '@svc/api/env'
import { environmentVariables } from '@svc/contracts/environment'
import { restContracts } from '@svc/contracts/rest'
import { DispatcherEnvironment } from '@svc/dispatcher/env'
import { GatewayEnvironment } from '@svc/mcp-gateway/env'
import { readEnvironment } from '@svc/process/env'
import { ProcessEnvironment } from '@svc/process/run'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

const folder = join(import.meta.dirname, '../infra/kubernetes')

/** What an operator keeps in the Secret that every app is given. */
const secret = {
  DATABASE_URL: 'postgres://svc:secret@postgres-rw:5432/svc',
  SVC_SECRET_KEYS: `k1:${'A'.repeat(43)}=`,
}

const models = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledJob,
  ScaledObject,
  Service,
  TriggerAuthentication,
} as const

const Named = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) })
const Labels = z.record(z.string(), z.string())
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).default([]),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  securityContext: z.looseObject({}),
})
const Pods = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    selector: z.object({ matchLabels: Labels }).optional(),
    template: z.looseObject({
      metadata: z.object({ labels: Labels, annotations: Labels.default({}) }),
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.int().optional(),
        securityContext: z.looseObject({ runAsNonRoot: z.boolean(), runAsUser: z.int() }),
        containers: z.array(Container),
      }),
    }),
  }),
})

function readFolder(name: string) {
  const files = readdirSync(join(folder, name)).filter((file) => file.endsWith('.yaml'))
  return files.map((file) => ({
    file,
    objects: parseAllDocuments(readFileSync(join(folder, name, file), 'utf8')).map((one) =>
      Named.parse(
        file === 'kustomization.yaml' ? { ...one.toJS(), metadata: { name } } : one.toJS(),
      ),
    ),
  }))
}

const folders = readdirSync(folder)
const base = readFolder('base')
const all = folders.flatMap((name) => readFolder(name).flatMap(({ objects }) => objects))
const ofKind = (kind: string) => all.filter((one) => one.kind === kind)
const apps = {
  migrate: { reads: OwnerEnvironment, port: undefined },
  api: { reads: ApiEnvironment, port: environmentVariables.SVC_PORT.default.api },
  'mcp-gateway': {
    reads: GatewayEnvironment,
    port: environmentVariables.SVC_PORT.default['mcp-gateway'],
  },
  dispatcher: {
    reads: DispatcherEnvironment,
    port: environmentVariables.SVC_PORT.default.dispatcher,
  },
} as const
const { data: settings } = z.object({ data: Labels }).parse(ofKind('ConfigMap')[0])
const metricsPort = settings['SVC_METRICS_PORT']
const workloads = [...ofKind('Deployment'), ...ofKind('Job')].map((one) => Pods.parse(one))
const Runners = z.looseObject({
  spec: z.looseObject({
    jobTargetRef: Pods.shape.spec,
    triggers: z.array(z.object({ type: z.string(), metadata: Labels })),
  }),
})
const [runners] = ofKind('ScaledJob').map((one) => Runners.parse(one))

describe('the files for Kubernetes', () => {
  test.each(folders)('%s lists each of its files', (name) => {
    const files = readFolder(name)
    const [listing] = files.flatMap(({ file, objects }) =>
      file === 'kustomization.yaml' ? objects : [],
    )
    const { resources } = z.object({ resources: z.array(z.string()) }).parse(listing)
    const others = files.map(({ file }) => file).filter((file) => file !== 'kustomization.yaml')
    expect(resources.filter((one) => one.endsWith('.yaml')).toSorted()).toEqual(others.toSorted())
  })

  // a Cluster is an object of an operator that publishes no schema
  test.each(all.filter(({ kind }) => !['Kustomization', 'Cluster'].includes(kind)))(
    'hold a $kind that the schema of its kind takes: $metadata.name',
    (object) => {
      const known: Partial<Record<string, new (data: never) => { validate(): void }>> = models
      const Model = known[object.kind]
      if (!Model) throw new Error(`no schema of ${object.kind} is known here`)
      // what is wrong with it is thrown by the check
      expect(() => new Model(object as never).validate()).not.toThrow()
    },
  )

  test.each(Object.entries(apps))('give %s every variable that it needs', (name, { reads }) => {
    const pods = workloads.find(({ metadata }) => metadata.name === name)
    const [container] = pods?.spec.template.spec.containers ?? []
    const own = (container?.env ?? []).map(({ name: key, value }) => [key, value] as const)
    const environment = { ...settings, ...secret, ...Object.fromEntries(own) }
    expect(() => readEnvironment(reads, environment)).not.toThrow()
    expect(() => readEnvironment(ProcessEnvironment, environment)).not.toThrow()
    expect(Object.keys(environment).filter((key) => !(key in environmentVariables))).toEqual([])
    expect(container).toMatchObject({
      image: `svc-${name === 'migrate' ? 'admin' : name}`,
      envFrom: [{ configMapRef: { name: 'svc' } }, { secretRef: { name: 'svc' } }],
    })
  })

  const ofRunners = { metadata: { name: 'runner' }, spec: runners?.spec.jobTargetRef }
  const allPods = [...workloads, ofRunners]
  test.each(allPods)('let nothing of $metadata.name be more than it has to be', (pods) => {
    const { spec } = Pods.shape.spec.parse(pods.spec).template
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000 },
    })
    for (const { securityContext, resources } of spec.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(resources).toMatchObject({ limits: { memory: expect.any(String) } })
    }
  })

  test.each(Object.entries(apps).filter(([, { port }]) => port !== undefined))(
    'ask %s for its health at its own port, and call it by that',
    (name, { port }) => {
      const pods = workloads.find(({ metadata }) => metadata.name === name)
      const [container] = pods?.spec.template.spec.containers ?? []
      expect(container).toMatchObject({
        env: [{ name: 'SVC_HOST', value: '0.0.0.0' }],
        ports: [
          { name: 'http', containerPort: Number(port) },
          { name: 'metrics', containerPort: Number(metricsPort) },
        ],
        livenessProbe: { httpGet: { path: '/livez', port: 'http' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
      })
      expect(pods?.spec.selector?.matchLabels).toEqual(pods?.spec.template.metadata.labels)
      expect(pods?.spec.template.metadata.annotations).toMatchObject({
        'prometheus.io/port': metricsPort,
      })
      const services = ofKind('Service').filter(({ metadata }) => metadata.name === name)
      expect(services).toHaveLength(name === 'dispatcher' ? 0 : 1)
      for (const service of services) {
        expect(service).toMatchObject({
          spec: {
            selector: pods?.spec.template.metadata.labels,
            ports: [{ port: Number(port), targetPort: 'http' }],
          },
        })
      }
      const [budget] = ofKind('PodDisruptionBudget').filter((one) => one.metadata.name === name)
      expect(budget).toMatchObject({
        spec: { selector: { matchLabels: pods?.spec.template.metadata.labels } },
      })
    },
  )

  test('let Prometheus in at the port of the metrics, and nobody else', () => {
    const [policy] = ofKind('NetworkPolicy').filter(
      ({ metadata }) => metadata.name === 'from-prometheus',
    )
    expect(policy).toMatchObject({
      spec: { ingress: [{ ports: [{ port: Number(metricsPort) }] }] },
    })
  })

  test('let whoever asks the database through to it, and its instances to each other', () => {
    const Policy = z.looseObject({
      spec: z.looseObject({
        podSelector: z.object({ matchLabels: Labels }),
        ingress: z.array(
          z.object({
            from: z.array(z.looseObject({})),
            ports: z.array(z.object({ port: z.int() })),
          }),
        ),
      }),
    })
    const [cluster] = ofKind('Cluster')
    const [policy] = ofKind('NetworkPolicy').filter((one) => one.metadata.name === 'to-postgres')
    const { podSelector, ingress } = Policy.parse(policy).spec
    // as the operator labels the pods of a cluster
    expect(podSelector.matchLabels).toEqual({ 'cnpg.io/cluster': cluster?.metadata.name })
    const { port } = new URL(secret.DATABASE_URL)
    const from = ingress
      .filter(({ ports }) => ports.some((one) => one.port === Number(port)))
      .flatMap((one) => one.from)
    const names = { key: 'app.kubernetes.io/name', operator: 'In', values: Object.keys(apps) }
    expect(from).toContainEqual({ podSelector: { matchExpressions: [names] } })
    expect(from).toContainEqual({ podSelector })
  })

  test('start a runner for what it would take, from nothing but its own files', () => {
    const [container] = runners?.spec.jobTargetRef.template.spec.containers ?? []
    const [trigger] = runners?.spec.triggers ?? []
    const asked = new URL(trigger?.metadata['url'] ?? '')
    const { method, path, query, answer } = restContracts.countWaiting
    expect([method, asked.pathname]).toEqual(['GET', path])
    const { agents, label } = query.parse(Object.fromEntries(asked.searchParams))
    expect(Object.keys(answer.shape)).toEqual([trigger?.metadata['valueLocation']])
    expect(container?.args).toEqual([
      'runner',
      'once',
      '--ephemeral',
      ...agents.map((agent) => `--agent=${agent}`),
      `--label=${label}`,
      '--agent-token=minted',
    ])
    const environment = Object.fromEntries(
      (container?.env ?? []).map(({ name, value }) => [name, value]),
    )
    expect(environment['SVC_BACKEND_URL']).toBe(asked.origin)
    // KEDA's own namespace has no service of that name: it is looked for with its namespace
    expect(settings['SVC_SERVED_HOSTS']?.split(',')).toContain(asked.host)
    expect(asked.hostname.split('.')).toHaveLength(3)
    expect(container).toMatchObject({
      volumeMounts: expect.arrayContaining([
        expect.objectContaining({ mountPath: environment['SVC_RUNNER_HOME'] }),
        expect.objectContaining({ mountPath: `${environment['SVC_RUNNER_HOME']}/trust.json` }),
      ]),
    })
  })

  test('scale deployments that are there', () => {
    const Scaler = z.looseObject({
      spec: z.looseObject({ scaleTargetRef: z.looseObject({ name: z.string() }) }),
    })
    const scalers = [...ofKind('HorizontalPodAutoscaler'), ...ofKind('ScaledObject')]
    const targets = scalers.map((one) => Scaler.parse(one).spec.scaleTargetRef.name)
    expect(targets.toSorted()).toEqual(['api', 'dispatcher', 'mcp-gateway'])
  })

  test('have images of all apps that they run', () => {
    const [listing] = base.flatMap(({ file, objects }) =>
      file === 'kustomization.yaml' ? objects : [],
    )
    const { images } = z
      .object({ images: z.array(z.looseObject({ name: z.string() })) })
      .parse(listing)
    const run = workloads.flatMap(({ spec }) => spec.template.spec.containers)
    expect(images.map(({ name }) => name).toSorted()).toEqual(
      [...new Set(run.map(({ image }) => image))].toSorted(),
    )
  })
})
