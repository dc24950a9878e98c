import { describe, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './hash-password.ts'
import { hashNewPassword } from './passwords.ts'

describe('a password', () => {
  test('is right by its own hash alone, in whichever way its letters are composed', async () => {
    const hash = await hashPassword('Ein ganz schöner Satz')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(hash).not.toBe(await hashPassword('Ein ganz schöner Satz'))
    expect(await verifyPassword(hash, 'Ein ganz schöner Satz')).toMatchObject({ isRight: true })
    expect(await verifyPassword(hash, 'Ein ganz scho\u0308ner Satz')).toMatchObject({
      isRight: true,
    })
    expect(await verifyPassword(hash, 'ein ganz schöner satz')).toMatchObject({ isRight: false })
  })

  test('of nobody is never right', async () => {
    expect(await verifyPassword(null, '')).toMatchObject({ isRight: false })
  })

  test('that was hashed at another cost is right and outdated', async () => {
    const hash = await hashPassword('a phrase of words')
    const cheaper = hash.replace('t=2', 't=1')
    expect(await verifyPassword(hash, 'a phrase of words')).toMatchObject({ isOutdated: false })
    expect(await verifyPassword(cheaper, 'a phrase of words')).toMatchObject({ isOutdated: true })
  })

  test.for([
    'aaaaaaaaaaaaaaaaaaa',
    'passwordpassword1',
    'Alice-Alice-Alice',
    '1234567890 1234567890',
  ])('that is guessed first is refused: %s', async (password) => {
    await expect(hashNewPassword(password, ['alice', 'alice@example.com'])).rejects.toThrow(
      'a phrase of words',
    )
  })

  test('of many at once is worked on in turn, and refused once too many wait', async () => {
    const many = Array.from({ length: 30 }, () => hashPassword('a phrase of words'))
    const settled = await Promise.allSettled(many)
    const refused = settled.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(8)
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'unavailable' } })
    await expect(hashPassword('a phrase of words')).resolves.toContain('$argon2id$')
  })
})
