import { expect, test } from 'vitest'
import { rightsOf } from '../../data/rights.ts'
import { boardKeys } from './keys.ts'

function begin(role: 'member' | 'viewer', focused?: string) {
  const done: string[] = []
  const act = (what: string) => (id?: string) => void done.push([what, id].join(' ').trim())
  const keys = boardKeys({
    mayCall: rightsOf({ role }).mayCall,
    focused: () => focused,
    begin: act('begin'),
    create: act('create'),
    filter: act('filter'),
    move: act('move'),
    edit: act('edit'),
    launch: act('launch'),
    remove: act('remove'),
  })
  const press = (name: string) => keys.find((key) => key.keys === name)?.run()
  return { names: keys.map((key) => key.keys), done, press }
}

test('whoever may only look has keys to look around', () => {
  const { names } = begin('viewer')
  expect(names).toEqual(['j', 'ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'Enter', 'f'])
  const ofMember = ['c', 'e', 'l', 'm', 'Delete', 'Shift+ArrowLeft', 'Shift+ArrowRight']
  expect(begin('member').names).toEqual(expect.arrayContaining(ofMember))
})

test('a key of a card acts on the one that has the focus, and is left to the browser where none has', () => {
  const { done, press } = begin('member', 'a')
  for (const key of ['m', 'e', 'l', 'Delete', 'c']) press(key)
  expect(done).toEqual(['move a', 'edit a', 'launch a', 'remove a', 'create'])
  const without = begin('member')
  expect([without.press('m'), without.press('ArrowDown')]).toEqual([false, false])
  expect(without.done).toEqual([])
})
