import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Role } from '@svc/contracts/permissions'
import type { Project } from '@svc/contracts/project'
import type { Domain } from '@svc/domain/domain'
import { openOutbound } from '@svc/outbound/open-outbound'
import { type Furnished, furnish } from '@svc/domain/testing/furnished'
import { type Person, personWith } from '@svc/domain/testing/people'
import type { Receiver } from '@svc/testing/receiver'
import { missionWith } from '@svc/domain/testing/plans'
import { type Run, type RunStage, runUpTo } from '@svc/domain/testing/runs'
import type { World } from '@svc/domain/testing/world'
import { sql } from 'kysely'

/** What an operation is asked about. */
export interface Subject {
  projectId: string
  objectiveId: string
}

/** Somebody of a role, with things of their own. */
export interface Scene extends Furnished {
  /** Whose settings are changed. */
  changed: Project
  world: World
  /** Its calls reach the receiver. */
  domain: Domain
  person: Person
  userId: string
  role: Role
  receiver: Receiver
}

/** Made as an owner makes them: whoever may do little has things, too, and has been more. */
export async function setScene(world: World, receiver: Receiver, role: Role): Promise<Scene> {
  const domain: Domain = { ...world.domain, outbound: openOutbound(['*@127.0.0.1']) }
  const { token, userId } = await world.person('owner')
  const person = personWith(domain, token)
  const furnished = await furnish({ domain, receiver }, person)
  const changed = await world.projectWith()
  const scene = { ...furnished, changed, world, domain, person, userId, role, receiver }
  await become(scene, role)
  return scene
}

/** What the person does as an owner, before it is a matter of their own role again. */
export async function asOwner<T>(scene: Scene, work: () => Promise<T>): Promise<T> {
  const isOwner = scene.role === 'owner'
  if (!isOwner) await become(scene, 'owner')
  const done = await work()
  if (!isOwner) await become(scene, scene.role)
  return done
}

async function become({ world, userId }: Scene, role: Role): Promise<void> {
  await sql`update memberships set role = ${role} where user_id = ${userId}`.execute(
    world.domain.db,
  )
}

export interface Fresh {
  project: Project
  mission: Mission
  objectives: Objective[]
  first: Objective
}

export interface MissionOrder {
  objectives?: number
  /** The scene's project, the one whose settings are changed, or one of its own, whose runner finds nothing else. */
  of?: 'project' | 'changed' | 'own'
}

export async function freshMission(
  scene: Scene,
  { objectives = 1, of = 'project' }: MissionOrder = {},
): Promise<Fresh> {
  const project = of === 'own' ? await scene.world.projectWith() : scene[of]
  const instructions = Array.from({ length: objectives }, (_, index) => `do ${index}`)
  const { mission } = await missionWith(scene.person, instructions, { project })
  const [first] = mission.objectives
  if (!first) throw new Error('a mission was made with objectives')
  return { project, mission, objectives: mission.objectives, first }
}

/** Claimed by a runner, and reported as far as is said. */
export async function freshRun(scene: Scene, upTo: RunStage = 'launched'): Promise<Fresh & Run> {
  const { person, world } = scene
  const fresh = await freshMission(scene, { of: 'own' })
  const runner = await world.connectedRunner(fresh.project, { owner: person })
  return { ...fresh, ...(await runUpTo(upTo, person, { objective: fresh.first, runner })) }
}

interface Session extends Fresh {
  sessionKey: string
}

/** An agent that attached by itself. */
export async function freshSession(scene: Scene, order?: MissionOrder): Promise<Session> {
  const fresh = await freshMission(scene, order)
  const agent = scene.world.agentOf(scene.person, { objectiveId: fresh.first.displayId })
  await agent.attach()
  return { ...fresh, sessionKey: agent.sessionKey() }
}
