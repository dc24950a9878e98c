import {
  type EnvironmentVariable,
  describeDefault,
  environmentVariables,
} from '@svc/contracts/environment'
import { errorRows } from '@svc/contracts/errors'
import { NextStep } from '@svc/contracts/next-step'
import { launchVariables } from '@svc/contracts/launch-environment'
import {
  type Permission,
  permissionRow,
  permissions,
  presetPermissions,
  rolePermissions,
} from '@svc/contracts/permissions'
import { protocolContracts } from '@svc/contracts/protocol'
import { restContracts } from '@svc/contracts/rest'
import {
  begins,
  missionLifecycle,
  objectiveLifecycle,
  questionLifecycle,
  requestLifecycle,
  sessionLifecycle,
} from '@svc/domain/states/table'
import { code, codes, page, table } from './markdown.ts'
import { type Placed, headings, placedRules } from './rules.ts'
import { stateRows } from './state-rows.ts'

/** What has no effect yet, and what will bring it. */
const plannedWith = 'no effect yet: planned with'

interface PlannedRow {
  cells: string[]
  planned: string | undefined
}

/** Without the last column as long as nothing is planned. */
function tableWithPlanned(head: string[], rows: PlannedRow[]): string {
  const hasPlanned = rows.some(({ planned }) => planned !== undefined)
  return table(
    hasPlanned ? [...head, plannedWith] : head,
    rows.map(({ cells, planned = '' }) => (hasPlanned ? [...cells, planned] : cells)),
  )
}

export function protocolPage(): string {
  const rows = Object.entries(protocolContracts).map(([operation, contract]) => [
    code(operation),
    code(`POST /api/protocol/${operation}`),
    code(`svc protocol ${operation}`),
    code(contract.permission),
  ])
  return page(
    'Agent protocol',
    'What an agent calls while it works. `svc protocol <operation> --help` says how the command is called, and `GET /api/openapi.json` what the call takes and answers.',
    table(['operation', 'call', 'command', 'permission'], rows),
  )
}

export function errorsPage(): string {
  const rows = Object.entries<{ status: number; planned?: string }>(errorRows).map(
    ([name, { status, planned }]) => ({ cells: [code(name), String(status)], planned }),
  )
  const steps = NextStep.options.map(({ shape }) => shape.operation.value)
  const onMachines = steps.filter((name) => !(name in restContracts || name in protocolContracts))
  return page(
    'Errors',
    'Every refusal is `{ "error": { code, message, details?, next?, requestId } }`. The message is a sentence that makes sense by itself; `next` is the step that helps.',
    tableWithPlanned(['code', 'status'], rows),
    '## Next steps',
    `\`next\` is \`{ operation, params }\`: an operation of the [REST API](rest.md) or of the [agent protocol](protocol.md) with what is known of its input, or one of ${codes(onMachines)}, which a person does on a machine. The command line says it as a command, the tools name the tool that takes it.`,
    table(
      ['operation', 'params'],
      NextStep.options.map(({ shape }) => [
        code(shape.operation.value),
        codes(Object.keys(shape.params.shape)),
      ]),
    ),
  )
}

/** Only the processes of the service read a secret from a file; the command line has an option for that. */
function secrecyOf({ secret, serverOnly }: EnvironmentVariable): string {
  if (!secret) return ''
  return serverOnly ? ' (secret: also as `<NAME>_FILE`)' : ' (secret)'
}

export function environmentPage(): string {
  const variables = Object.entries<EnvironmentVariable>(environmentVariables)
  const rows = variables.map(([name, one]) => [
    code(name),
    describeDefault(one),
    one.description + secrecyOf(one) + (one.planned ? ` (${plannedWith} ${one.planned})` : ''),
  ])
  const launch = Object.entries(launchVariables).map(([name, what]) => [code(name), what])
  return page(
    'Environment',
    '## Of the processes',
    table(['variable', 'default', 'meaning'], rows),
    '## Of a launched agent',
    table(['variable', 'contents'], launch),
  )
}

function aroundObjectiveOf(permission: Permission): string {
  const { aroundObjective, neverForObjective } = permissionRow(permission)
  if (neverForObjective) return 'never'
  return aroundObjective ? 'around it' : ''
}

export function permissionsPage(): string {
  const columns = { ...rolePermissions, ...presetPermissions }
  const rows = permissions.map((permission) => ({
    cells: [
      code(permission),
      ...Object.values(columns).map((held) => (held.includes(permission) ? 'x' : '')),
      aroundObjectiveOf(permission),
    ],
    planned: permissionRow(permission).planned,
  }))
  return page(
    'Permissions',
    'A role holds in one workspace; a preset bounds a token, and its owner’s role bounds it again.',
    'A token for one objective is bounded once more: it holds on that objective, and around it, on its mission and project, where the column says so.',
    'A token is good for 90 days where nothing else is said, and for 366 at most, or for as many as its workspace allows: `svc workspace token-days`, or the workspace itself under Access in the web app.',
    tableWithPlanned(['permission', ...Object.keys(columns), 'one objective'], rows),
  )
}

interface Row {
  row?: number
  decided?: number
  from?: readonly string[]
  to: string
  outcome?: string
  publishes?: readonly string[]
}

function lifecycleTable(rows: Record<string, Row>): string {
  return table(
    ['trigger', 'from', 'to', 'publishes', 'source'],
    Object.entries(rows).map(([trigger, row]) => [
      code(trigger),
      row.from ? codes(row.from) : 'any',
      code(row.outcome ? `${row.to} / ${row.outcome}` : row.to),
      codes(row.publishes ?? []),
      row.row
        ? `[row ${row.row}](rules.md#row-${row.row})`
        : `[decision ${row.decided}](decisions.md#decision-${row.decided})`,
    ]),
  )
}

function begun(kind: keyof typeof begins): string {
  return `Begins as ${code(begins[kind])}.`
}

export function lifecyclePage(): string {
  return page(
    'Lifecycle',
    'Every move of a state, by what triggers it; nothing else moves one. `prior` is the state that the objective was launched from. What stands under `publishes` are events for webhooks.',
    '## Objective',
    begun('objective'),
    lifecycleTable(objectiveLifecycle),
    '## Execution request',
    begun('request'),
    lifecycleTable(requestLifecycle),
    '## Session',
    begun('session'),
    lifecycleTable(sessionLifecycle),
    '## Question',
    begun('question'),
    lifecycleTable(questionLifecycle),
    '## Mission',
    lifecycleTable(missionLifecycle),
  )
}

export function rulesPage(): string {
  return page(
    'Rules',
    'What the service must do, a rule a sentence, under the headings of the specification. A comment that says `spec:` names a heading here and the row or item under it; `row 8` alone is a row of [States and transitions](#states-and-transitions). A rule with two places stands under both. What the specification leaves open is settled in the [decisions](decisions.md); a full `npm test` prints how many rules a passing test proves.',
    ...headings.map((heading) =>
      [
        `## ${heading}`,
        ...rulesUnder(
          heading,
          placedRules.filter((it) => it.heading === heading),
        ),
      ].join('\n\n'),
    ),
  )
}

function rulesUnder(heading: string, placed: readonly Placed[]): string[] {
  if (heading !== 'States and transitions') return [rulesTable(placed)]
  const rows = Object.entries(stateRows).map(([number, sentence]) => {
    const ofRow = placed.filter(({ place }) => place === `row ${number}`)
    return [`### Row ${number}`, sentence, rulesTable(ofRow)].join('\n\n')
  })
  return [...rows, '### Outside of the rows', rulesTable(placed.filter(isOfNoRow))]
}

function isOfNoRow({ place }: Placed): boolean {
  return !place.startsWith('row ')
}

const byPlace = new Intl.Collator('en', { numeric: true })

function rulesTable(placed: readonly Placed[]): string {
  const rows = placed.toSorted((one, other) => byPlace.compare(one.place, other.place))
  return table(
    ['place', 'rule', 'in a sentence'],
    rows.map(({ place, id, rule }) => [place, code(id), rule]),
  )
}
