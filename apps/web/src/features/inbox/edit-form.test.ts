import { describe, expect, test } from 'vitest'
import { changesOf, describeForm, formOf, readForm, writeForm } from './edit-form.ts'

const item = {
  id: 'i',
  title: 'Logs',
  text: 'Rotate.',
  mission: null,
  turned: null,
  notedBy: null,
  revision: 1,
  createdAt: '',
  updatedAt: '',
  doneAt: null,
}

describe('what is written of an item', () => {
  test('is read as it was written, and what is no form is an empty one', () => {
    const form = { title: '"Logs"', text: 'a\nb' }
    expect(readForm(writeForm(form))).toEqual(form)
    for (const other of ['', 'null', '3', '[]', '{"title":3}', 'x']) {
      expect(readForm(other)).toEqual({ title: '', text: '' })
    }
  })

  test('is sent as far as it is other than it was', () => {
    expect(changesOf(item, formOf(item))).toEqual({})
    expect(changesOf(item, { title: ' All logs ', text: 'Rotate.' })).toEqual({ title: 'All logs' })
    expect(changesOf(item, { title: 'Logs', text: ' \n' })).toEqual({ text: null })
    expect(changesOf({ ...item, text: null }, { title: 'Logs', text: '' })).toEqual({})
  })

  test('is compared as a text', () => {
    expect(describeForm(formOf(item))).toBe('Logs\n\nRotate.')
    expect(describeForm({ title: 'Logs', text: '' })).toBe('Logs')
  })
})
