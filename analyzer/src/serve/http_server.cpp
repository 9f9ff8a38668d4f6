// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "http_server.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>
#include <vector>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

#include <fmt/format.h>

#include "http_request.hpp"

namespace sotto::analyzer {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = net::ip::tcp;

// From the first byte of a request, or the end of the one before, to its last: whoever sends slower is dropped.
constexpr std::chrono::seconds k_request_time(30), k_reply_time(30), k_handshake_time(10);
constexpr std::chrono::seconds k_end_time(2);
constexpr std::size_t k_drained_max = 4 * k_batch_max_bytes;
constexpr std::size_t k_connections_max = 16384, k_event_streams_max = 64;
constexpr int k_threads = 2, k_backlog = 4096;

/// What all connections share.
struct Common {
  Handler handler;
  HttpCounts& counts;
  std::atomic<bool> stopping{false};
  std::atomic<std::size_t> event_streams{0};
  std::size_t connections_max = k_connections_max;
};

template <class Stream>
class Connection : public std::enable_shared_from_this<Connection<Stream>> {
 public:
  template <class... Args>
  Connection(Common& common, Args&&... args) : common_(common), stream_(std::forward<Args>(args)...) {
    ++common_.counts.connections;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    --common_.counts.connections;
    if (is_event_stream_) --common_.event_streams;
  }

  void start() {
    net::dispatch(stream_.get_executor(), [self = this->shared_from_this()] { self->greet(); });
  }

 private:
  static constexpr bool k_is_encrypted = !std::is_same_v<Stream, beast::tcp_stream>;

  void greet() {
    if constexpr (k_is_encrypted) {
      beast::get_lowest_layer(stream_).expires_after(k_handshake_time);
      stream_.async_handshake(net::ssl::stream_base::server,
                              [self = this->shared_from_this()](beast::error_code failed) {
                                if (!failed) self->read();
                              });
    } else {
      read();
    }
  }

  void read() {
    begin_request(parser_);
    beast::get_lowest_layer(stream_).expires_after(k_request_time);
    http::async_read(stream_, buffer_, *parser_,
                     [self = this->shared_from_this()](beast::error_code failed, std::size_t) { self->have(failed); });
  }

  void have(beast::error_code failed) {
    if (failed == http::error::end_of_stream) return end();
    if (failed) {
      if (failed == beast::error::timeout || failed == net::error::operation_aborted ||
          failed.category() != http::make_error_code(http::error::bad_method).category())
        return;
      ++common_.counts.bad_requests;
      keeps_open_ = false;
      return write({status_of(failed), "text/plain", fmt::format("{}\n", failed.message()), {}, {}});
    }
    ++common_.counts.requests;
    keeps_open_ = parser_->get().keep_alive() && !common_.stopping;
    const Request request = request_of(*parser_);
    is_head_ = request.method == "HEAD";
    // The answer may come from another thread, once what was sent is on the disk.
    beast::get_lowest_layer(stream_).expires_never();
    common_.handler(request, [self = this->shared_from_this()](Reply reply) {
      net::dispatch(self->stream_.get_executor(),
                    [self, reply = std::move(reply)]() mutable { self->write(std::move(reply)); });
    });
  }

  void write(Reply reply) {
    reply_.emplace(static_cast<http::status>(reply.status), 11);
    reply_->set(http::field::server, "sotto");
    reply_->set("X-Content-Type-Options", "nosniff");
    reply_->set("Referrer-Policy", "no-referrer");
    for (const auto& [name, value] : reply.headers) reply_->set(name, value);
    if (reply.events) return write_events(std::move(reply.events));
    if (reply.status != 204 && reply.status != 304) reply_->set(http::field::content_type, reply.type);
    reply_->keep_alive(keeps_open_);
    reply_->body() = std::move(reply.body);
    if (reply.status != 204 && reply.status != 304) reply_->prepare_payload();
    if (is_head_) reply_->body().clear();  // whoever asks for the head would take a body for the next reply
    beast::get_lowest_layer(stream_).expires_after(k_reply_time);
    http::async_write(stream_, *reply_, [self = this->shared_from_this()](beast::error_code failed, std::size_t) {
      if (failed) return;
      if (!self->keeps_open_) return self->end();
      self->read();
    });
  }

  void write_events(std::function<std::string()> events) {
    if (++common_.event_streams > k_event_streams_max) {
      --common_.event_streams;
      keeps_open_ = false;
      return write({503, "text/plain", "too many pages watch\n", {{"Retry-After", "10"}}, {}});
    }
    is_event_stream_ = true;
    events_ = std::move(events);
    text_ = fmt::format(
        "HTTP/1.1 200 OK\r\nServer: sotto\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{}",
        events_());
    timer_.emplace(stream_.get_executor());
    send_text();
  }

  void send_text() {
    beast::get_lowest_layer(stream_).expires_after(k_reply_time);
    net::async_write(stream_, net::buffer(text_),
                     [self = this->shared_from_this()](beast::error_code failed, std::size_t) {
                       if (failed || self->common_.stopping) return self->end();
                       self->timer_->expires_after(std::chrono::seconds(1));
                       self->timer_->async_wait([self](beast::error_code) {
                         self->text_ = self->events_();
                         self->send_text();
                       });
                     });
  }

  void end() {
    beast::get_lowest_layer(stream_).expires_after(k_end_time);
    if constexpr (k_is_encrypted) {
      stream_.async_shutdown([self = this->shared_from_this()](beast::error_code) {});
    } else {
      beast::error_code ignored;
      stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      drain(0);
    }
  }

  /// Reads what still comes for a moment: closing at once would reset the connection, and the answer might get lost.
  void drain(std::size_t read) {
    if (read > k_drained_max) return;
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(k_header_bytes_max),
                            [self = this->shared_from_this(), read](beast::error_code failed, std::size_t more) {
                              if (!failed) self->drain(read + more);
                            });
  }

  Common& common_;
  Stream stream_;
  beast::flat_buffer buffer_{k_header_bytes_max + k_batch_max_bytes};
  std::optional<RequestParser> parser_;
  std::optional<http::response<http::string_body>> reply_;
  std::optional<net::steady_timer> timer_;
  std::function<std::string()> events_;
  std::string text_;
  bool keeps_open_ = true, is_event_stream_ = false, is_head_ = false;
};

/// As many open files as the system lets this process have; a connection is one.
std::size_t raise_file_limit() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur > 512 ? static_cast<std::size_t>(limit.rlim_cur) - 256 : 256;
}

class BeastServer final : public HttpServer {
 public:
  explicit BeastServer(HttpCounts& counts)
      : common_{{}, counts},
        acceptor_(context_),
        again_(context_),
        end_(context_),
        signals_(context_, SIGTERM, SIGINT) {
    common_.connections_max = std::min(k_connections_max, raise_file_limit());
  }

  Result<Done> take_address(const ListenOptions& options) {
    name_ = fmt::format("{}:{}", options.address, options.port);
    beast::error_code failed;
    const auto address = net::ip::make_address(options.address, failed);
    if (failed) return refused("read the address", failed);
    const tcp::endpoint endpoint(address, options.port);
    acceptor_.open(endpoint.protocol(), failed);
    if (failed) return refused("open a socket", failed);
    acceptor_.set_option(net::socket_base::reuse_address(true), failed);
    acceptor_.bind(endpoint, failed);
    if (failed) return refused("listen", failed);
    if (options.certificate.empty()) return Done{};
    tls_.emplace(net::ssl::context::tls_server);
    tls_->set_options(net::ssl::context::default_workarounds | net::ssl::context::no_tlsv1 |
                      net::ssl::context::no_tlsv1_1);
    tls_->use_certificate_chain_file(options.certificate, failed);
    if (!failed) tls_->use_private_key_file(options.key, net::ssl::context::pem, failed);
    if (!failed) return Done{};
    return Error{"serve.bad_certificate", "certificate and key cannot be used: " + failed.message(),
                 options.certificate, "name PEM files of a certificate chain and its key"};
  }

  [[nodiscard]] std::uint16_t port() const override { return acceptor_.local_endpoint().port(); }

  Result<Done> listen() override {
    beast::error_code failed;
    acceptor_.listen(k_backlog, failed);
    if (failed) return refused("listen", failed);
    return Done{};
  }

  void run(Handler handler, const std::function<void()>& last) override {
    common_.handler = std::move(handler);
    signals_.async_wait([this, &last](beast::error_code, int) {
      beast::error_code ignored;
      common_.stopping = true;
      acceptor_.close(ignored);
      last();
      // Answers that were given leave; whoever does not read them is not waited for.
      end_.expires_after(std::chrono::milliseconds(300));
      end_.async_wait([this](beast::error_code) { context_.stop(); });
    });
    accept();
    std::vector<std::thread> threads;
    for (int i = 1; i < k_threads; ++i) threads.emplace_back([this] { context_.run(); });
    context_.run();
    for (std::thread& thread : threads) thread.join();
  }

 private:
  [[nodiscard]] Error refused(const char* what, const beast::error_code& failed) const {
    return {"serve.cannot_listen", fmt::format("cannot {}: {}", what, failed.message()), name_,
            "name a free port and a numeric address of this machine, such as 127.0.0.1:8080"};
  }

  void accept() {
    acceptor_.async_accept(net::make_strand(context_), [this](beast::error_code failed, tcp::socket socket) {
      if (failed == net::error::operation_aborted || common_.stopping) return;
      if (failed) {  // no file is free: a moment later one may be
        again_.expires_after(std::chrono::milliseconds(100));
        again_.async_wait([this](beast::error_code stopped) {
          if (!stopped) accept();
        });
        return;
      }
      if (common_.counts.connections >= common_.connections_max) {
        ++common_.counts.refused_connections;  // closed when it goes out of scope
      } else {
        beast::error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        if (tls_) {
          std::make_shared<Connection<beast::ssl_stream<beast::tcp_stream>>>(common_, std::move(socket), *tls_)
              ->start();
        } else {
          std::make_shared<Connection<beast::tcp_stream>>(common_, std::move(socket))->start();
        }
      }
      accept();
    });
  }

  // Connections that are left at the end go with the context, and use the two before it.
  Common common_;
  std::optional<net::ssl::context> tls_;
  net::io_context context_{k_threads};
  tcp::acceptor acceptor_;
  net::steady_timer again_, end_;
  net::signal_set signals_;
  std::string name_;  // of the address, for errors
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::open(const ListenOptions& options, HttpCounts& counts) {
  auto server = std::make_unique<BeastServer>(counts);
  if (const auto taken = server->take_address(options); !taken) return taken.error();
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace sotto::analyzer
