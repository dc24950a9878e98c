import type { World } from '@svc/domain/testing/open-world'
import { deliveredMission } from '../pages/delivered-mission.ts'
import { accessToLookAt } from './access-scene.ts'
import { missionToLookAt } from './mission-scene.ts'
import { webhooksToLookAt } from './webhook-scene.ts'

/** A page of the web app that is there. */
export interface RoutedPage {
  key: string
  /** Below the workspace; undefined where nothing is known that its address may be about. */
  path: string | undefined
}

/** Every page that the app's routes name, at what there is to look at in that world. */
export async function routedPages(world: World): Promise<RoutedPage[]> {
  // by its address, since what it loads is typed for a browser; its rows are those of `RouteRow`
  const { routes } = (await import(import.meta.resolve('@svc/web/routes'))) as {
    routes: Readonly<Record<string, { path: string; load?: unknown }>>
  }
  const examples = await examplesIn(world)
  return Object.entries(routes).flatMap(([key, { path, load }]) =>
    load === undefined ? [] : [{ key, path: fillIn(path, examples[key] ?? examples['']) }],
  )
}

type Example = Readonly<Record<string, string | undefined>>

/** What each part of an address is filled with, for one page or for all of them. */
async function examplesIn(world: World): Promise<Readonly<Record<string, Example | undefined>>> {
  const shown = await missionToLookAt(world)
  const { mission } = await deliveredMission(world)
  const { webhook, delivery } = await webhooksToLookAt(world)
  await accessToLookAt(world)
  const all = {
    webhook,
    delivery,
    project: shown.project.slug,
    mission: shown.mission.displayId,
    objective: shown.objectives[2].displayId,
    run: shown.asking.lease.id,
  }
  return { '': all, review: { ...all, mission: mission.displayId } }
}

function fillIn(path: string, example: Example = {}): string | undefined {
  const parts = path
    .split('/')
    .map((part) => (part.startsWith(':') ? example[part.slice(1)] : part))
  return parts.includes(undefined) ? undefined : parts.join('/')
}
