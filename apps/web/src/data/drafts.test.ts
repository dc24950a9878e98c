import { describe, expect, test } from 'vitest'
import { openDrafts } from './drafts.ts'

/** What a browser keeps of a page, for as many openings of it as a test wants. */
function createStorage(room = Infinity) {
  const kept = new Map<string, string>()
  return {
    kept,
    get length() {
      return kept.size
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (name: string) => kept.get(name) ?? null,
    removeItem: (name: string) => void kept.delete(name),
    setItem: (name: string, value: string) => {
      if (value.length > room) throw new Error('QuotaExceededError')
      kept.set(name, value)
    },
  }
}

const ofAda = { person: 'ada', workspace: 'acme', signIn: () => 'first' }

describe('what somebody has typed', () => {
  test('is there when the page is opened again, for them alone and in that workspace alone', () => {
    const storage = createStorage()
    const drafts = openDrafts({ storage, ...ofAda })
    drafts.write('answer:1', 'Keep the old name')
    drafts.flush()
    expect(openDrafts({ storage, ...ofAda }).read('answer:1')?.text).toBe('Keep the old name')
    for (const other of [{ person: 'bo' }, { workspace: 'other' }]) {
      expect(openDrafts({ storage, ...ofAda, ...other }).read('answer:1')).toBeUndefined()
    }
  })

  test('is read as it stands before it is written anywhere, and is not there once it is emptied', () => {
    const storage = createStorage()
    const drafts = openDrafts({ storage, ...ofAda })
    drafts.write('note', 'a')
    expect(drafts.read('note')?.text).toBe('a')
    drafts.flush()
    drafts.write('note', '')
    expect([drafts.read('note'), storage.kept.size]).toEqual([undefined, 0])
  })

  test('keeps what it was begun on, and is a change also where all of that was emptied', () => {
    const storage = createStorage()
    const drafts = openDrafts({ storage, ...ofAda })
    const base = { revision: 7, text: 'as it was' }
    drafts.write('instruction', 'as it is', base)
    drafts.write('instruction', 'as it will be')
    drafts.flush()
    const later = openDrafts({ storage, ...ofAda })
    expect(later.read('instruction')).toEqual({ text: 'as it will be', base })
    later.write('instruction', '', base)
    expect(later.read('instruction')).toEqual({ text: '', base })
  })

  test('is written by itself after a moment', async () => {
    const storage = createStorage()
    openDrafts({ storage, ...ofAda }).write('note', 'typed')
    await expect.poll(() => openDrafts({ storage, ...ofAda }).read('note')?.text).toBe('typed')
  })

  test('is counted and discarded with a sign-out, and nothing of others with it', () => {
    const storage = createStorage()
    const other = openDrafts({ storage, ...ofAda, person: 'bo' })
    other.write('note', "Bo's")
    other.flush()
    const drafts = openDrafts({ storage, ...ofAda })
    drafts.write('note', 'one')
    const elsewhere = openDrafts({ storage, ...ofAda, workspace: 'other' })
    elsewhere.write('note', 'two')
    elsewhere.flush()
    expect(drafts.countAll()).toBe(2)
    drafts.discardAll()
    expect([drafts.countAll(), other.read('note')?.text]).toEqual([0, "Bo's"])
  })

  test('that has no room is still on the page, and is counted and sent as any other', () => {
    const drafts = openDrafts({ storage: createStorage(4), ...ofAda })
    drafts.write('note', 'longer than that')
    drafts.flush()
    expect([drafts.read('note')?.text, drafts.countAll()]).toEqual(['longer than that', 1])
    const { key } = drafts.keyFor('note', 'request')
    expect(drafts.keyFor('note', 'request')).toMatchObject({ key, isOfEarlierTry: true })
    drafts.drop('note')
    expect([drafts.read('note'), drafts.countAll()]).toEqual([undefined, 0])
  })

  test('survives what else stands under its name', () => {
    const storage = createStorage()
    storage.kept.set('svc:draft:ada:acme:note', '{ not JSON')
    expect(openDrafts({ storage, ...ofAda }).read('note')).toBeUndefined()
  })
})

describe('two tabs with one field', () => {
  const twoTabs = () => {
    const storage = createStorage()
    const [one, other] = [openDrafts({ storage, ...ofAda }), openDrafts({ storage, ...ofAda })]
    const name = 'svc:draft:ada:acme:note'
    /** As the browser tells the other tab of what was dropped in one. */
    const tellDropped = (drop: () => void) => {
      const oldValue = storage.getItem(name)
      drop()
      other.hear({ key: name, oldValue, newValue: storage.getItem(name) })
    }
    return { one, other, tellDropped }
  }

  test('drop what their own field holds, and nothing that the other one has written', () => {
    const { one, other } = twoTabs()
    for (const tab of [one, other]) tab.begin('note')
    one.write('note', 'one')
    one.flush()
    other.write('note', 'other')
    other.flush()
    expect([one.textHere('note'), one.read('note')?.text]).toEqual(['one', 'other'])
    one.settle('note', 'one', one.keyFor('note', 'request').key)
    one.write('note', '')
    one.drop('note')
    expect([one.textHere('note'), one.read('note')]).toEqual(['', { text: 'other' }])
    other.keyFor('note', 'request of the other')
    one.write('note', 'mine')
    other.write('note', 'other')
    other.flush()
    one.flush()
    other.write('note', 'other again')
    other.flush()
    one.write('note', '')
    expect(one.read('note')?.text).toBe('other again')
    other.drop('note')
    expect(other.read('note')).toBeUndefined()
  })

  test('empty their fields with one that held the same, and keep what was another text anew', () => {
    const { one, other, tellDropped } = twoTabs()
    let told = 0
    other.onDropped('note', () => (told += 1))
    one.write('note', 'same')
    one.flush()
    other.begin('note')
    const { key } = one.keyFor('note', 'request')
    tellDropped(() => one.settle('note', 'same', key))
    expect([told, other.textHere('note')]).toEqual([1, ''])
    other.write('note', 'mine', { revision: 7, text: 'as it was' })
    other.flush()
    one.write('note', 'theirs')
    const later = one.keyFor('note', 'another request').key
    tellDropped(() => one.settle('note', 'theirs', later))
    expect([told, other.read('note')?.text, other.read('note')?.base?.revision]).toEqual([
      1,
      'mine',
      7,
    ])
  })
})

test('what one tab discards with a sign-out, another one keeps no more until the next sign-in', () => {
  const storage = createStorage()
  let signIn = 'first'
  const [one, other] = [ofAda, { ...ofAda, signIn: () => signIn }].map((of) =>
    openDrafts({ storage, ...of }),
  )
  if (one === undefined || other === undefined) throw new Error('there are two tabs')
  let told = 0
  other.isDiscarded.subscribe(() => (told += 1))
  other.write('note', 'mine', { revision: 7, text: 'as it was' })
  other.flush()
  const setItem = storage.setItem
  // as the browser tells the other tab of what is set and removed
  storage.setItem = (key, newValue) => {
    setItem(key, newValue)
    other.hear({ key, oldValue: null, newValue })
  }
  one.discardAll()
  storage.setItem = setItem
  expect([storage.kept.size, told, other.isDiscarded.get()]).toEqual([0, 1, true])
  other.write('note', 'mine again', { revision: 7, text: 'as it was' })
  other.flush()
  expect([storage.kept.size, other.read('note')?.text]).toEqual([0, 'mine again'])
  signIn = 'second'
  other.flush()
  expect([storage.kept.size, other.isDiscarded.get()]).toEqual([1, false])
})

describe('the key of a send', () => {
  test('is the same until there is an answer, also after a reload, and another for another text', () => {
    const storage = createStorage()
    const drafts = openDrafts({ storage, ...ofAda })
    drafts.write('note', 'text')
    const { key } = drafts.keyFor('note', 'request 1')
    drafts.keyFor('edited', 'request')
    drafts.write('edited', 'my text', { revision: 7, text: 'as it was' })
    drafts.keyFor('edited', 'another request')
    const later = openDrafts({ storage, ...ofAda })
    expect(later.read('edited')?.base?.revision).toBe(7)
    expect(later.keyFor('note', 'request 1')).toMatchObject({ key, isOfEarlierTry: true })
    expect(later.read('note')?.text).toBe('text')
    expect(later.keyFor('note', 'request 2').key.key).not.toBe(key.key)
    later.drop('note')
    expect(later.keyFor('note', 'request 1').key.key).not.toBe(key.key)
  })

  test('is that of what was sent before for another text that must not be done beside it, for a day', () => {
    const storage = createStorage()
    let now = 1_800_000_000_000
    const drafts = openDrafts({ storage, ...ofAda, now: () => now })
    const notBesideEarlier = true
    drafts.write('note', 'text')
    const { key } = drafts.keyFor('note', 'the text')
    // what was emptied may have been done all the same, but nothing of it is kept, nor discarded by a sign-out
    drafts.write('note', '')
    drafts.flush()
    expect([drafts.begin('note'), drafts.countAll()]).toEqual([undefined, 0])
    expect([...storage.kept.values()].join()).not.toContain('text":"the text')
    drafts.write('note', 'another text')
    const again = drafts.keyFor('note', 'another', { notBesideEarlier })
    expect([again.key.key, again.isOfEarlierTry]).toEqual([key.key, true])
    drafts.write('note', '')
    now += 24 * 3_600_000 + 1
    expect(drafts.read('note')).toBeUndefined()
    const later = drafts.keyFor('note', 'one more', { notBesideEarlier })
    expect([later.key.key === key.key, later.isOfEarlierTry]).toEqual([false, false])
    drafts.drop('note')
    expect(drafts.read('note')).toBeUndefined()
  })

  test('is not given to another text while it is under way, and goes with the text that it was made for', async () => {
    const drafts = openDrafts({ storage: createStorage(), ...ofAda })
    const notBesideEarlier = true
    drafts.write('note', 'one')
    const one = drafts.keyFor('note', 'one', { notBesideEarlier })
    const answered = Promise.withResolvers<void>()
    const sending = drafts.whileSending(one.key, () => answered.promise)
    drafts.write('note', 'two')
    const two = drafts.keyFor('note', 'two', { notBesideEarlier })
    expect([two.key.key === one.key.key, two.isOfEarlierTry]).toEqual([false, false])
    answered.resolve()
    await sending
    drafts.settle('note', 'one', one.key)
    expect(drafts.keyFor('note', 'two')).toMatchObject({ key: two.key, isOfEarlierTry: true })
  })

  test('is another one after a refusal, and what the text was begun on stays', () => {
    const drafts = openDrafts({ storage: createStorage(), ...ofAda })
    const base = { revision: 7, text: 'as it was' }
    drafts.write('note', 'text', base)
    const { key } = drafts.keyFor('note', 'request')
    drafts.forgetKey('note', drafts.newKey())
    expect(drafts.keyFor('note', 'request')).toMatchObject({ key, isOfEarlierTry: true })
    drafts.forgetKey('note', key)
    expect(drafts.read('note')).toEqual({ text: 'text', base })
    expect(drafts.keyFor('note', 'request')).toMatchObject({ isOfEarlierTry: false })
    expect(drafts.keyFor('note', 'request').key.key).not.toBe(key.key)
  })

  test('is good for a day, and for the sign-in that it was made in', () => {
    const storage = createStorage()
    let now = 1_800_000_000_000
    const drafts = openDrafts({ storage, ...ofAda, now: () => now })
    const { key } = drafts.keyFor('note', 'request')
    const inAnother = openDrafts({ storage, ...ofAda, now: () => now, signIn: () => 'second' })
    expect([drafts.isOld(key), inAnother.isOld(key)]).toEqual([false, true])
    expect(inAnother.isOld(inAnother.newKey())).toBe(false)
    now += 24 * 3_600_000 + 1
    expect(drafts.isOld(key)).toBe(true)
  })
})
