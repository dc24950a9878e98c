import { describe, expect, test } from 'vitest'
import {
  formOf,
  readForm,
  requestOf,
  withObjective,
  withoutObjective,
  writeForm,
} from './turn-form.ts'

const item = { title: 'Logs', text: 'Rotate.' }

describe('the mission that an item is to become', () => {
  test('begins with what the item says', () => {
    const begun = { projectId: '', title: 'Logs', objectives: ['Rotate.'], priority: 'normal' }
    expect(readForm('', item)).toEqual(begun)
    expect(readForm('no form', item)).toEqual(begun)
    expect(formOf({ title: 'Logs', text: null }).objectives).toEqual([''])
  })

  test('is read as it was written, whatever the item says by now', () => {
    const form = { projectId: 'p', title: 'A', objectives: ['a', ''], priority: 'high' } as const
    expect(readForm(writeForm(form), item)).toEqual(form)
    expect(readForm('{"objectives":[3],"priority":"soon"}', item)).toEqual({
      projectId: '',
      title: '',
      objectives: [''],
      priority: 'normal',
    })
  })

  test('is sent without what was left empty', () => {
    const form = { ...formOf(item), projectId: 'p', title: ' Logs ' }
    const two = { ...form, objectives: ['Rotate.', ' \n', ' Test it. '] }
    expect(requestOf('i', two)).toEqual({
      id: 'i',
      projectId: 'p',
      title: 'Logs',
      priority: 'normal',
      objectives: [{ instruction: 'Rotate.' }, { instruction: 'Test it.' }],
    })
    expect(requestOf('i', withObjective(form, 0, '')).objectives).toEqual([])
    expect(withoutObjective(two, 1).objectives).toEqual(['Rotate.', ' Test it. '])
  })
})
