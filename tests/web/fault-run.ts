import { expect } from 'vitest'
import type { PageScene } from '../pages/scene.ts'
import { exceptions } from './fault-exceptions.ts'
import { type Tally, endure } from './faults.ts'
import { otherWays } from './fault-ways.ts'
import { proofs } from './keyboard-proofs.ts'
import { type AppWindow, slugOf } from './scene.ts'

interface Ground {
  openApp: () => Promise<AppWindow>
  scene: PageScene
  tally: Tally
}

/** One action with all that can befall it, in a window of its own. */
export async function befall(action: string, { openApp, scene, tally }: Ground): Promise<void> {
  const prove = proofs[action] ?? otherWays[action]
  if (prove === undefined) throw new Error(`${action} has no proof in keyboard-proofs.ts`)
  if (action === 'shell endSignIn') await scene.usePassword()
  const { page, misdeeds } = await openApp()
  // the client waits as shortly as it may between two tries
  await page.addInitScript('Math.random = () => 0')
  page.on('filechooser', (chooser) => {
    const buffer = Buffer.from('a note')
    void chooser.setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer })
  })
  const slug = await slugOf(scene)
  const ground = { world: scene.world, page, pathOf: (path: string) => `/w/${slug}${path}`, tally }
  await endure(ground, action, prove, exceptions[action])
  expect(misdeeds).toEqual([])
}
