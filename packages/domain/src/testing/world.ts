import { test as base } from '@svc/testing/database'
import { openWorld } from './open-world.ts'

export { type World, openWorld } from './open-world.ts'

/** `test` of a file that needs the service: its world lives as long as the file's tests. */
export const test = base.extend('world', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const world = await openWorld(database.connectionString)
  onCleanup(() => world[Symbol.asyncDispose]())
  return world
})
