import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { openNotifySetting } from './notify-setting.ts'
import { openStorage } from './storage.ts'

/** A browser that keeps what it is told as long as it runs. */
function openBrowser() {
  const storage = openStorage(() => {
    throw new Error('there is none')
  })
  const person = randomUUID()
  const openTab = (of = person) => {
    const closing = new AbortController()
    onTestFinished(() => closing.abort())
    const { signal } = closing
    const openChannel = (name: string) => new BroadcastChannel(name)
    return openNotifySetting({ storage, openChannel, person: of, signal })
  }
  return { storage, person, openTab }
}

test('is off until it is turned on, and then so for one person in all tabs of a browser', async () => {
  const { openTab } = openBrowser()
  const [here, there] = [openTab(), openTab()]
  expect(here.get()).toBe(false)
  here.set(true)
  expect(here.get()).toBe(true)
  await expect.poll(there.get).toBe(true)
  expect(openTab().get()).toBe(true)
  expect(openTab(randomUUID()).get()).toBe(false)
  there.set(false)
  await expect.poll(here.get).toBe(false)
  expect(openTab().get()).toBe(false)
})

test('what was there before it was turned on is no news', () => {
  const { storage, person, openTab } = openBrowser()
  const [own, other] = [`svc:notified:${person}:w`, `svc:notified:${randomUUID()}:w`]
  for (const name of [own, other]) storage.setItem(name, '[]')
  openTab().set(true)
  expect([storage.getItem(own), storage.getItem(other)]).toEqual([null, '[]'])
})
