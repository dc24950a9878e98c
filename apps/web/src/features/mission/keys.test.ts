import { describe, expect, test } from 'vitest'
import { missionKeys } from './keys.ts'

const objectives = [
  { id: 'done', state: 'complete', instruction: 'a' },
  { id: 'running', state: 'executing', instruction: 'b' },
  { id: 'blank', state: 'draft', instruction: ' ' },
  { id: 'ready', state: 'submitted', instruction: 'c' },
] as const

function begin({
  current,
  may = () => true,
}: { current?: string; may?: (name: string) => boolean } = {}) {
  const done: string[] = []
  const act = (what: string) => (id?: string, more?: string) =>
    done.push([what, id, more].filter((part) => part !== undefined).join(' '))
  const keys = missionKeys({
    mayCall: may,
    objectives,
    current: () => current,
    go: act('go'),
    launch: act('launch'),
    cancel: act('cancel'),
    edit: act('edit'),
    add: act('add'),
    move: act('move'),
    review: act('review'),
    step: act('step'),
  })
  const press = (name: string) => keys.find((key) => key.keys === name)?.run()
  return { keys, press, done }
}

describe('a key of a mission', () => {
  test('acts on the objective that is current', () => {
    const { press, done } = begin({ current: 'ready' })
    for (const name of ['l', 'e', 'Alt+ArrowUp', 'Alt+ArrowDown', 'k']) press(name)
    expect(done).toEqual([
      'launch ready',
      'edit ready',
      'step ready up',
      'step ready down',
      'go blank',
    ])
  })

  test('acts on the first that it fits, where none is current', () => {
    const { press, done } = begin()
    for (const name of ['l', 'x', 'e', 'j', 'k']) press(name)
    expect(done).toEqual(['launch ready', 'cancel running', 'edit blank', 'go done', 'go ready'])
  })

  test('does nothing to a current one that it does not fit', () => {
    const { press, done } = begin({ current: 'done' })
    for (const name of ['l', 'x', 'e', 'Alt+ArrowUp']) press(name)
    expect(done).toEqual([])
  })

  test('is there for those who may, and says what it does', () => {
    const { keys } = begin({ may: () => false })
    expect(keys.map((key) => key.keys)).toEqual(['j', 'k', 'r', 'Mod+Enter'])
    for (const { does } of begin().keys) expect(does).toMatch(/\w/)
  })
})
