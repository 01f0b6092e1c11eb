import { pick, type Random } from './random.ts';

const FIRST = [
  ...(['Ada', 'Aiko', 'Amara', 'Anton', 'Bela', 'Carla', 'Chidi', 'Dana', 'Diego', 'Elif', 'Emil', 'Farah'] as const),
  ...['Finn', 'Grace', 'Hana', 'Hugo', 'Ines', 'Ivan', 'Jamal', 'Juno', 'Kaito', 'Kofi', 'Lea', 'Liam', 'Lucía', 'Mei'],
  ...['Mira', 'Nadia', 'Noah', 'Nils', 'Olga', 'Omar', 'Paula', 'Priya', 'Quinn', 'Rafael', 'Rosa', 'Sana', 'Sven'],
  ...['Tara', 'Theo', 'Uma', 'Vera', 'Wei', 'Yara', 'Yusuf', 'Zoë'],
] as const;

const LAST = [
  ...([
    'Abe',
    'Andersen',
    'Barros',
    'Becker',
    'Costa',
    'Demir',
    'Dubois',
    'Eze',
    'Fischer',
    'García',
    'Haddad',
  ] as const),
  ...['Hansen', 'Ito', 'Jensen', 'Kaya', 'Kim', 'Kovács', 'Lopez', 'Mensah', 'Moreau', 'Nakamura', 'Novak', 'Okafor'],
  ...[
    'Olsen',
    'Patel',
    'Petrov',
    'Quist',
    'Rao',
    'Rossi',
    'Sato',
    'Silva',
    'Singh',
    'Tanaka',
    'Tamm',
    'Varga',
    'Weber',
  ],
  ...['Wilson', 'Yilmaz', 'Zhang'],
] as const;

export const nameOf = (random: Random): string => `${pick(random, FIRST)} ${pick(random, LAST)}`;
