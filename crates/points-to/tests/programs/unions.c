// Steps back and forth inside a union whose members overlap, and from there to the struct around it.
union word {
  long long whole;
  unsigned char bytes[8];
  short halves[4];
};
struct packet {
  int *first;
  union word word;
  int *last;
};

int x = 1, y = 2;
static union word alone = {0x0102030405060708};
static struct packet packet = {&x, {7}, &y};
static union word row[3];

int main(void) {
  int total = *(&alone.bytes[7] - 6) + *(&alone.bytes[1] + 2) + *(&alone.halves[3] - 2);
  *(&alone.bytes[7] - 1) = 9;
  *(&row[1].bytes[7] - 3) = 5;
  total += row[1].bytes[4] + alone.whole;
  struct packet *around = (struct packet *)(&packet.word.bytes[2] - 2 - sizeof(int *));
  total += *around->first + *around->last;
  char *byte = (char *)&packet.word.bytes[3];
  around = (struct packet *)(byte - 3 - sizeof(int *));
  around->first = &y;
  return total + *packet.first == 0;
}
