import { describe, expect, test } from 'vitest'
import { keep, openStorage } from './storage.ts'

const refuse = () => {
  throw new Error('SecurityError')
}

describe('what a browser is to keep', () => {
  test('is kept until the page is left where the browser may keep nothing', () => {
    const storage = openStorage(refuse)
    keep(storage, 'note', 'text')
    expect([storage.getItem('note'), storage.length, storage.key(0)]).toEqual(['text', 1, 'note'])
    keep(storage, 'note', undefined)
    expect([storage.getItem('note'), storage.length]).toEqual([null, 0])
  })

  test('is let go where there is no room for it', () => {
    const full = { ...openStorage(refuse), setItem: refuse }
    expect(() => keep(full, 'note', 'text')).not.toThrow()
  })
})
