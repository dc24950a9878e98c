import { openBrowser } from '@svc/testing/browser'
import { openTheatre } from '../model/stage.ts'
import { openNeedsBeside } from '../web/needs-walk.ts'
import { openThrowawayDatabase } from './database.ts'
import { playLong } from './model.ts'
import type { SoakOptions, SoakResult } from './soak.ts'

/** Each step is waited for in a browser: so much shorter is it than the same without one. */
const shorter = 20

/** The sequences of the model beside open pages of what needs somebody. */
export async function soakNeeds(options: SoakOptions): Promise<SoakResult> {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openThrowawayDatabase())
  const theatre = opened.use(await openTheatre(database.url))
  const browser = await openBrowser()
  opened.defer(() => browser.close())
  const { alice } = theatre
  const walk = { databaseUrl: database.url, browser, alice }
  const beside = opened.use(await openNeedsBeside(theatre, walk))
  const sequences = Math.ceil(options.sequences / shorter)
  const { figures, violations } = await playLong(theatre, { ...options, sequences }, beside)
  const { looks, came } = beside.tally
  return {
    figures: [...figures, ['looks', `${looks} at pages, ${came} rows came and went`]],
    violations,
  }
}
