// The limit to be measured against: the pass over a token file by hand, for Linux on x86-64.  strong_method FILE [THREADS]
//
// The file is read in blocks by several threads, each of which sorts the edges of its blocks into buckets of neighbouring
// targets; a bucket is grouped into rows of predecessors by counting, within a cache. A solved vertex then pushes its value
// to its predecessors: count, value and seen values of a vertex lie together, and memory is asked for ahead of its use.
// Lines are taken as they are: one edge each, one blank between its numbers, nothing checked.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

using std::size_t, std::uint32_t, std::uint64_t, std::vector;

struct Edge {
    uint32_t target, source;
};

struct State {
    uint64_t seen;  // the values below 64 among the options
    uint32_t unsolved, grundy;
};

constexpr size_t chunk_edges = 2048, block_bytes = 1 << 20, huge_page = 2 << 20, longest_line = 64;

// Memory of zeros in large pages, never given back.
template <class T>
T *zeros(size_t count) {
    size_t bytes = (std::max<size_t>(count * sizeof(T), 1) + huge_page - 1) / huge_page * huge_page;
    void *found = mmap(nullptr, bytes + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) std::perror("mmap"), std::exit(1);
    char *start = (char *)(((uint64_t)found + huge_page - 1) / huge_page * huge_page);
    madvise(start, bytes, MADV_HUGEPAGE);
    return (T *)start;
}

template <class Work>
void in_threads(int threads, Work work) {
    vector<std::thread> others;
    for (int i = 1; i < threads; i++) others.emplace_back(work, i);
    work(0);
    for (std::thread &other : others) other.join();
}

uint32_t number(const char *&at) {
    uint32_t value = 0;
    for (unsigned digit; (digit = (unsigned char)*at - '0') < 10; at++) value = value * 10 + digit;
    return value;
}

// The edges of one thread into one bucket: chunks of a pool that all share.
struct Bucket {
    vector<Edge *> chunks;
    size_t filled = chunk_edges;  // of the last chunk

    template <class Visit>
    void each(Visit visit) const {
        for (size_t i = 0; i < chunks.size(); i++)
            for (size_t j = 0, end = i + 1 == chunks.size() ? filled : chunk_edges; j < end; j++) visit(chunks[i][j]);
    }
    size_t size() const { return chunks.empty() ? 0 : (chunks.size() - 1) * chunk_edges + filled; }
};

struct Game {
    int threads;
    uint32_t vertices, edges, tokens, bits, buckets;
    vector<uint32_t> token;
    vector<vector<Bucket>> bucket;  // of each thread
    State *state;
    uint32_t *row, *predecessor, *order;
    vector<vector<uint64_t>> large;  // the values from 64 on, of a vertex that sees one
    vector<uint32_t> large_of;       // its place there, counted from 1

    void read(const char *path);
    void group();
    bool solve();

   private:
    void group_bucket(uint32_t number, size_t begin);
    uint32_t mex(uint32_t vertex) const;
    void see_large(uint32_t vertex, uint32_t value);
};

void Game::read(const char *path) {
    int file = open(path, O_RDONLY);
    struct stat about;
    if (file < 0 || fstat(file, &about)) std::perror(path), std::exit(1);
    size_t length = about.st_size;

    char head[longest_line] = {};
    if (pread(file, head, sizeof head - 1, 0) <= 0 || std::sscanf(head, "%u%u%u", &vertices, &edges, &tokens) != 3) std::exit(1);
    size_t body = std::strchr(head, '\n') - head + 1;

    size_t tail_length = std::min<size_t>(length, longest_line + tokens * 11);
    vector<char> tail(tail_length + 1);
    if (pread(file, tail.data(), tail_length, length - tail_length) < 0) std::exit(1);
    size_t last = tail_length;
    while (last && tail[last - 1] == '\n') last--;
    while (last && tail[last - 1] != '\n') last--;
    const char *at = tail.data() + last;
    for (uint32_t i = 0; i < tokens; i++, at++) token.push_back(number(at));
    size_t end = length - tail_length + last;

    bits = vertices > 4'000'000 ? 17 : 15;
    buckets = (vertices >> bits) + 1;
    bucket.assign(threads, vector<Bucket>(buckets));
    Edge *pool = zeros<Edge>((edges / chunk_edges + threads * (size_t)buckets + 1) * chunk_edges);
    std::atomic<size_t> used{0}, next{body};
    in_threads(threads, [&](int thread) {
        vector<char> text(1 + block_bytes + longest_line + 1);
        for (size_t begin; (begin = next.fetch_add(block_bytes)) < end;) {
            // A line belongs to the block in which it begins, so the byte before the block is looked at as well.
            size_t stop = std::min(begin + block_bytes, end), until = std::min(stop + longest_line, end);
            if (pread(file, text.data(), until - begin + 1, begin - 1) < 0) std::exit(1);
            text[until - begin + 1] = '\n';
            const char *at = (const char *)std::memchr(text.data(), '\n', text.size()) + 1;
            for (const char *limit = text.data() + 1 + (stop - begin); at < limit; at++) {
                uint32_t source = number(at), target = number(++at);
                Bucket &to = bucket[thread][target >> bits];
                if (to.filled == chunk_edges) to.chunks.push_back(pool + used++ * chunk_edges), to.filled = 0;
                to.chunks.back()[to.filled++] = {target, source};
            }
        }
    });
    close(file);
}

void Game::group() {
    state = zeros<State>(vertices + 1);
    row = zeros<uint32_t>(vertices + 2);
    predecessor = zeros<uint32_t>(edges);
    vector<size_t> begin(buckets + 1);
    for (uint32_t b = 0; b < buckets; b++) {
        begin[b + 1] = begin[b];
        for (int thread = 0; thread < threads; thread++) begin[b + 1] += bucket[thread][b].size();
    }
    std::atomic<uint32_t> next{0};
    in_threads(threads, [&](int) {
        for (uint32_t b; (b = next++) < buckets;) group_bucket(b, begin[b]);
    });
    row[vertices + 1] = begin[buckets];
}

void Game::group_bucket(uint32_t b, size_t place) {
    uint32_t first = b << bits, mask = (1u << bits) - 1;
    uint32_t rows = std::min<uint64_t>(1u << bits, (uint64_t)vertices + 1 - first);
    vector<uint32_t> at(rows);
    for (int thread = 0; thread < threads; thread++) bucket[thread][b].each([&](Edge e) { at[e.target & mask]++; });
    for (uint32_t r = 0; r < rows; r++) {
        row[first + r] = place;
        place += at[r];
        at[r] = row[first + r];
    }
    for (int thread = 0; thread < threads; thread++) bucket[thread][b].each([&](Edge e) {
        predecessor[at[e.target & mask]++] = e.source;
        if (threads > 1) __atomic_fetch_add(&state[e.source].unsolved, 1u, __ATOMIC_RELAXED);
        else state[e.source].unsolved++;
    });
}

uint32_t Game::mex(uint32_t vertex) const {
    if (~state[vertex].seen) return __builtin_ctzll(~state[vertex].seen);
    uint32_t words = 0;
    if (!large_of.empty() && large_of[vertex])
        for (uint64_t word : large[large_of[vertex] - 1]) {
            words++;
            if (~word) return 64 * words + __builtin_ctzll(~word);
        }
    return 64 * (words + 1);
}

void Game::see_large(uint32_t vertex, uint32_t value) {
    if (large_of.empty()) large_of.resize(vertices + 1);
    if (!large_of[vertex]) large.emplace_back(), large_of[vertex] = large.size();
    vector<uint64_t> &words = large[large_of[vertex] - 1];
    size_t place = value / 64 - 1;
    if (words.size() <= place) words.resize(place + 1);
    words[place] |= 1ull << (value & 63);
}

// Return whether play ends from every vertex. How far ahead memory is asked for was tried out.
bool Game::solve() {
    order = zeros<uint32_t>(vertices + 1);
    uint32_t solved = 0, found = 0;
    for (uint32_t v = 1; v <= vertices; v++)
        if (!state[v].unsolved) order[found++] = v;
    while (solved < found) {
        uint32_t v = order[solved++];
        if (solved + 16 < found) __builtin_prefetch(&row[order[solved + 16]]);
        if (solved + 8 < found) {
            __builtin_prefetch(&predecessor[row[order[solved + 8]]]);
            __builtin_prefetch(&state[order[solved + 8]]);
        }
        uint32_t value = state[v].grundy = mex(v);
        for (uint32_t k = row[v]; k < row[v + 1]; k++) {
            if (k + 12 < edges) __builtin_prefetch(&state[predecessor[k + 12]], 1);
            uint32_t p = predecessor[k];
            if (value < 64) state[p].seen |= 1ull << value;
            else see_large(p, value);
            if (!--state[p].unsolved) order[found++] = p;
        }
    }
    return found == vertices;
}

int main(int count, char **words) {
    if (count < 2) return 1;
    Game game{};
    game.threads = count > 2 ? std::atoi(words[2]) : std::max(1u, std::thread::hardware_concurrency());
    auto begin = std::chrono::steady_clock::now();
    game.read(words[1]);
    game.group();
    auto start = std::chrono::steady_clock::now();
    if (!game.solve()) return 1;
    std::chrono::duration<double> solve = std::chrono::steady_clock::now() - start, read = start - begin;

    uint32_t nim_sum = 0;
    for (uint32_t vertex : game.token) nim_sum ^= game.state[vertex].grundy;
    std::puts(nim_sum ? "win" : "lose");
    long long checksum = 0;
    for (uint32_t v = 1; v <= game.vertices; v++) checksum += (long long)game.state[v].grundy * v % 1000003;
    std::fprintf(stderr, "read %.6f s, solve %.6f s, checksum %lld\n", read.count(), solve.count(), checksum);
    std::fflush(nullptr);
    _exit(0);  // to give the memory back piece by piece would be measured as well
}
