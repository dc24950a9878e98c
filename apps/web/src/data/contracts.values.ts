import { describedTypes } from '@svc/contracts/event-types'
import { namespacedName } from '@svc/contracts/events'
import { missionDisplayId, objectiveDisplayId } from '@svc/contracts/ids'
import { soughtAgents as sought } from '@svc/contracts/known-agent'
import { limits as all } from '@svc/contracts/limits'
import { rolePermissions as ofRoles } from '@svc/contracts/permissions'
import { routineEvents as ofEveryRun } from '@svc/contracts/mission'
import { NeedKind } from '@svc/contracts/need'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { type RouteName, restContracts } from '@svc/contracts/rest'
import { Rights, defaultRights, rightsInWords as ofRights } from '@svc/contracts/rights'
import { entryReasons as ofEntries, inFlightStates as inFlight } from '@svc/contracts/run-queue'
import * as states from '@svc/contracts/states'
import { version as ours } from '@svc/contracts/version'
import { PayloadMode, WebhookDeliveryState } from '@svc/contracts/webhook-subscription'

// What the app needs of the contracts as values: the build runs this file, and loads none of them.

export const limits = all
/** Of this app: it is released together with the service. */
export const version = ours
export const rolePermissions = ofRoles
export const { objectiveStates, requestStatuses, runOutcomes, closedTypes, liveRunStates } = states
/** The programs of agents that a runner offers by itself. */
export const soughtAgents = sought
/** In the order in which they are listed. */
export const needKinds = NeedKind.options
export const priorities = states.Priority.options
/** What a run is in, in the order of its life. */
export const runStates = states.RunState.options
export const statusTypes = states.StatusType.options
export const rightsInWords = ofRights
/** Each includes those before it. */
export const rights = Rights.options
/** What an agent has where its project says nothing. */
export const standingRights = defaultRights
export const routineEvents = ofEveryRun
export const entryReasons = ofEntries
export const inFlightStates = inFlight
/** What `listEventTypes` lists. */
export const eventTypes = describedTypes
/** The source of a regular expression: how the events of extensions are named. */
export const extensionTypePattern = namespacedName.source
export const payloadModes = PayloadMode.options
export const webhookDeliveryStates = WebhookDeliveryState.options

/** The right that each operation asks for. */
// the entries of the contracts under the same keys; Object.fromEntries only says string
export const operationPermissions = Object.fromEntries(
  Object.entries(restContracts).map(([name, { permission }]) => [name, permission]),
) as Readonly<Record<RouteName, EndpointContract['permission']>>

/** The sources of regular expressions: web:12, and web:12.k7qd. */
export const displayIdPatterns = {
  mission: missionDisplayId.source,
  objective: objectiveDisplayId.source,
}
