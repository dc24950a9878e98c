import { describe, expect, test } from 'vitest'
import { createStore } from '../data/store.ts'
import { type Pressed, createKeyboard, shownKeys } from './keys.ts'

function begin() {
  let now = 0
  const done: string[] = []
  const isOn = createStore(true)
  const keyboard = createKeyboard(isOn, () => now)
  const key = (keys: string, what = keys) => ({ keys, does: what, run: () => done.push(what) })
  const press = (name: string, more: Partial<Pressed> = {}) =>
    keyboard.press({
      key: name,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      inField: false,
      ...more,
    })
  return { keyboard, key, press, done, isOn, wait: (ms: number) => (now += ms) }
}

describe('a key', () => {
  test('acts outside of fields, unless single keys are turned off', () => {
    const { keyboard, key, press, done, isOn } = begin()
    keyboard.open().show([key('c'), key('Mod+Enter')])
    expect([press('c'), press('c', { inField: true })]).toEqual([true, false])
    isOn.set(false)
    expect([press('c'), press('Enter', { ctrlKey: true, inField: true })]).toEqual([false, true])
    expect(done).toEqual(['c', 'Mod+Enter'])
  })

  test('is shown as it is pressed', () => {
    const shown = ['c', 'A', 'g n', 'Shift+ArrowRight', 'Mod+Enter'].map(shownKeys)
    expect(shown).toEqual(['c', 'Shift A', 'g n', 'Shift →', 'Ctrl ↵'])
  })

  test('leaves combinations alone that are not named', () => {
    const { keyboard, key, press, done } = begin()
    keyboard.open().show([key('c'), key('f')])
    expect([press('f', { ctrlKey: true }), press('c', { altKey: true })]).toEqual([false, false])
    expect(done).toEqual([])
  })

  test('of the page goes before one of the shell, as long as the page is there', () => {
    const { keyboard, key, press, done } = begin()
    keyboard.open().show([key('j', 'shell')])
    const page = keyboard.open()
    page.show([key('j', 'page')])
    press('j')
    page.close()
    press('j')
    expect(done).toEqual(['page', 'shell'])
  })

  test('of a dialog goes before one of the page below it, also when that changes', () => {
    const { keyboard, key, press, done } = begin()
    const page = keyboard.open()
    page.show([key('Mod+Enter', 'page')])
    keyboard.open().show([key('Mod+Enter', 'dialog')])
    page.show([key('Mod+Enter', 'page'), key('r')])
    press('Enter', { ctrlKey: true })
    press('r')
    expect(done).toEqual(['dialog', 'r'])
  })

  test('after another one is a place to go to, unless it comes too late', () => {
    const { keyboard, key, press, done, wait } = begin()
    keyboard.open().show([key('g p', 'projects'), key('p', 'priority')])
    press('g')
    press('p')
    press('g')
    wait(1_500)
    press('p')
    press('p')
    expect(done).toEqual(['projects', 'priority', 'priority'])
  })

  test('with Shift is named where it has no sign of its own', () => {
    const { keyboard, key, press, done } = begin()
    keyboard.open().show([key('Shift+ArrowLeft'), key('?')])
    press('ArrowLeft', { shiftKey: true })
    press('ArrowLeft')
    press('?', { shiftKey: true })
    expect(done).toEqual(['Shift+ArrowLeft', '?'])
  })
})
