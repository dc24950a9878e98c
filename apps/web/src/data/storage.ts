type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** What the browser keeps; where it is told to keep nothing of this page, what is kept until the page is left. */
export function openStorage(find: () => Kept): Kept {
  try {
    const found = find()
    found.getItem('svc')
    return found
  } catch {
    return inMemory()
  }
}

/** What is no loss where there is no room for it. */
export function keep(storage: Kept, name: string, value: string | undefined): void {
  try {
    if (value === undefined) storage.removeItem(name)
    else storage.setItem(name, value)
  } catch {
    // it holds until the page is left
  }
}

function inMemory(): Kept {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  }
}

export const browserStorage = openStorage(() => localStorage)
