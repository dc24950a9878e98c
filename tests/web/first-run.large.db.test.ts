import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRepository, ofPerson, temporaryFolder } from '@svc/testing/temporary'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { scriptedAgentMain } from '../e2e/support/agents.ts'
import { killAll, plainEnvironment, processesWith } from '../e2e/support/processes.ts'
import { until } from '../e2e/support/until.ts'
import { expectLive, test } from './scene.ts'

const clone = fileURLToPath(new URL('../..', import.meta.url))
const timeout = 120_000

test('an empty workspace comes to a reviewed delivery by the page and the commands that it has copied', async ({
  openApp,
  scene,
}) => {
  const machine = openMachine()
  const { page, misdeeds } = await openApp()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await expectLive(page)
  const steps = page.getByRole('region', { name: 'First steps' })
  const next = steps.locator('[aria-current="step"]')

  await steps.getByRole('button', { name: 'Make one' }).click()
  await page.getByLabel('Name').fill('Shop')
  await page.keyboard.press('Enter')

  await next.getByText('Start a runner').waitFor()
  const runner = machine.type(await copy(page, / runner start$/))
  const shown = () => /Open {2}(\S+)/.exec(runner.output())?.[1]
  const address = await until('the command shows an address', shown, { details: runner.output })
  const approving = await page.context().newPage()
  await approving.goto(address)
  await approving.getByRole('button', { name: 'Sign it in' }).click()
  await next.getByText('Link a repository').waitFor({ timeout })
  await steps.getByText(/, with .*scripted/).waitFor()

  await next.getByLabel('Folder of the repository there').fill(machine.repository)
  const link = machine.type(await copy(page, / resource link shop /))
  await next.getByText('Write a mission').waitFor({ timeout })
  expect([await link.code, link.output()]).toEqual([0, expect.stringContaining('shop')])

  await next.getByLabel('What the mission is about').fill('First words')
  await next.getByLabel('What its first objective is to do').fill('Write a greeting.')
  await next.getByRole('button', { name: 'Write it' }).click()
  await next.getByRole('link', { name: 'Launch it' }).click()
  const sheet = page.getByRole('dialog', { name: /^Launch / })
  await sheet.getByLabel('Agent').selectOption('scripted')
  await page.keyboard.press('Control+Enter')
  await sheet.waitFor({ state: 'detached' })

  // all of it is read from the service again
  await page.goto('/')
  await next.getByRole('link', { name: 'Review it' }).click({ timeout })
  await page.getByRole('button', { name: 'Accept' }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept shop:1' })
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { mission } = await scene.world.alice.call('getMission', { id: 'shop:1' })
  expect(mission.phase).toBe('complete')
  await page.goto('/')
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  await steps.waitFor({ state: 'detached' })
  expect(misdeeds).toEqual([])
})

/** What the button next to that command has copied. */
async function copy(page: Page, command: RegExp): Promise<string> {
  await page.getByRole('button', { name: new RegExp(`^Copy .*${command.source}`) }).click()
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(copied).toMatch(command)
  return copied()
}

/** A person's machine with a clone of this project, a repository and an agent, and nothing of svc yet. */
function openMachine() {
  const folder = temporaryFolder(ofPerson)
  const home = folder.path
  const repository = createRepository(join(home, 'my shop')).path
  onTestFinished(() => {
    killAll(processesWith(`HOME=${home}`))
    folder[Symbol.dispose]()
  })
  const env = { ...plainEnvironment(), HOME: home, SVC_SCRIPTED_AGENT: scriptedAgentMain }
  return {
    repository,
    /** Into a shell that stands in the clone. */
    type(command: string) {
      const shell = spawn('sh', ['-c', command], { cwd: clone, env })
      const written: string[] = []
      for (const stream of [shell.stdout, shell.stderr]) {
        stream.on('data', (text: Buffer) => written.push(text.toString()))
      }
      const code = new Promise((resolve) => shell.once('close', resolve))
      return { code, output: () => written.join('') }
    },
  }
}
